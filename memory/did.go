package memory

import "strings"

// did checks the shape of a key's id. Whether it is a good key is for the
// package that verifies signatures.
func did(field, s string) error {
	if len(s) != didBytes || !strings.HasPrefix(s, didPrefix) || strings.Trim(s[len(didPrefix):], base58Digs) != "" {
		return bad(field, "must be the did:key of an Ed25519 key, got %q", clip(s))
	}
	return nil
}

const (
	didPrefix  = "did:key:z6Mk"
	didBytes   = len("did:key:z") + 47
	base58Digs = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)
