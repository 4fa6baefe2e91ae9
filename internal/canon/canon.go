// Package canon reads JSON strictly and writes it in the one form that is
// signed: RFC 8785, the JSON canonicalization scheme.
//
// Reading is stricter than encoding/json, because two texts that a reader could
// take for each other must not share a signature. Refused are: bytes or escapes
// that are not valid Unicode, a byte order mark, repeated members, text after
// the value, nesting beyond MaxDepth and numbers that change when written back
// as integers.
package canon

import (
	"encoding/json"
	"fmt"
)

// Transform reads one JSON text strictly and returns its RFC 8785 form in
// memory of its own. What it returns passes Check and transforms to itself.
func Transform(raw []byte) ([]byte, error) {
	r := reader{raw: raw, out: make([]byte, 0, len(raw)), members: make([]member, 0, usualMembers)}
	if err := r.document(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// Check returns nil only if raw is in RFC 8785 form already, byte for byte, so
// that Transform would return the same bytes. It stops at the first thing it
// finds wrong: a member that repeats an earlier one which is not its neighbour
// is reported as being out of order.
func Check(raw []byte) error {
	r := reader{raw: raw, exact: true}
	return r.document()
}

// Marshal encodes v with encoding/json and transforms the result, in which
// nothing of that package's escaping for HTML is left. It does not notice a Go
// string that is not valid UTF-8: encoding/json has put U+FFFD in its place.
func Marshal(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	out, err := Transform(raw)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return out, nil
}
