package memory

import (
	"errors"
	"strings"
)

// Key says something about a signing key: that it begins, may act for another,
// is replaced, is no longer to be believed, or is known to us.
type Key struct {
	Op       string   `json:"op"`
	Key      string   `json:"key"`                // did:key it is about
	Previous string   `json:"previous,omitempty"` // rotate: the key it follows
	Origins  []Origin `json:"origins,omitempty"`  // delegate: the channels it may speak for, sorted
	Scope    string   `json:"scope,omitempty"`    // delegate: what for
	Expires  Time     `json:"expires,omitzero"`   // delegate: until when
	Next     string   `json:"next,omitempty"`     // SHA-256 of the recovery key
	Of       *Ref     `json:"of,omitempty"`       // revoke: the delegation taken back
	Reason   string   `json:"reason,omitempty"`   // revoke: superseded, lost or compromised
	From     string   `json:"from,omitempty"`     // revoke: the checkpoint it counts from
	Name     string   `json:"name,omitempty"`     // what people call it
}

// The operations on keys.
const (
	OpInception = "inception"
	OpDelegate  = "delegate"
	OpRotate    = "rotate"
	OpRevoke    = "revoke"
	OpIntroduce = "introduce"
	OpRecovery  = "recovery"
)

// KeyOps are the operations on keys.
var KeyOps = []string{OpInception, OpDelegate, OpRotate, OpRevoke, OpIntroduce, OpRecovery}

// RevokeReasons are why a key is no longer to be believed.
var RevokeReasons = []string{"superseded", "lost", "compromised"}

// Kind is key.
func (*Key) Kind() Kind { return KindKey }

// Headline gives the operation and the key.
func (b *Key) Headline() string { return b.Op + " " + b.Key }

// Words gives the name.
func (b *Key) Words() string { return b.Name }

// Subjects gives the delegation a revocation takes back.
func (b *Key) Subjects() []Ref {
	if b.Of == nil {
		return nil
	}
	return []Ref{*b.Of}
}

// Check asks for a known operation on a well-formed key.
func (b *Key) Check() error {
	var err error
	if b.Op == "" {
		err = bad("op", "is missing")
	}
	if b.Op != OpRevoke && b.Reason != "" {
		err = errors.Join(err, bad("reason", "belongs to a revocation"))
	}
	if b.Of != nil {
		err = errors.Join(err, oneRef("of", *b.Of))
	}
	if b.Previous != "" {
		err = errors.Join(err, did("previous", b.Previous))
	}
	for i, o := range b.Origins {
		err = errors.Join(err, o.check())
		if i > 0 && b.Origins[i-1] >= o {
			err = errors.Join(err, bad("origins", "must be sorted and unique"))
		}
	}
	return errors.Join(err, oneOf("op", b.Op, KeyOps), did("key", b.Key), word("scope", b.Scope),
		hexDigest("next", b.Next), oneOf("reason", b.Reason, RevokeReasons),
		text("from", b.From), textUpTo("name", b.Name, MaxNameBytes))
}

func (*Key) sealed() {}

// didPrefix begins every id of an Ed25519 key; 44 base58 characters follow.
const (
	didPrefix  = "did:key:z6Mk"
	didBytes   = len("did:key:z") + 47
	base58Digs = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

// did checks the shape of a key's id. Whether it is a good key is for the
// package that verifies signatures.
func did(field, s string) error {
	if len(s) != didBytes || !strings.HasPrefix(s, didPrefix) || strings.Trim(s[len(didPrefix):], base58Digs) != "" {
		return bad(field, "must be the did:key of an Ed25519 key, got %q", clip(s))
	}
	return nil
}
