package quoting

import (
	"bytes"
	"slices"
)

// IsPack reports whether a file that begins so is JSON other than a line of a bundle.
func IsPack(head []byte) bool {
	rest, object := bytes.CutPrefix(bytes.TrimSpace(head), []byte("{"))
	name, quoted := bytes.CutPrefix(bytes.TrimSpace(rest), []byte(`"`))
	name, _, ends := bytes.Cut(name, []byte(`"`))
	return object && quoted && ends && !slices.Contains(
		[]string{"payload", "payloadType", "signatures", "purged", "checkpoint", "inclusion"}, string(name))
}
