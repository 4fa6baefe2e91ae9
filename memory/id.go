package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"github.com/stemma-memory/stemma/internal/shorten"
	"strings"
)

// An ID is the SHA-256 of a record's canonical bytes: what you cite is what you
// get. The zero ID means "none".
type ID [sha256.Size]byte

// shortDigits is how many hex digits of an ID people are shown.
const shortDigits = 8

// String returns all 64 hex digits. It and the three below are called from 900 places, and a
// copy of them in each is 0.2 MB of a program.
//
//go:noinline
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Short returns the first 8 hex digits, for people; it may be ambiguous.
//
//go:noinline
func (id ID) Short() string { return id.String()[:shortDigits] }

// IsZero reports whether id is "none".
func (id ID) IsZero() bool { return id == ID{} }

// Compare orders IDs as byte strings.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// ParseID reads 64 lower-case hex digits and nothing else.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != hex.EncodedLen(len(id)) || strings.ToLower(s) != s {
		return ID{}, fmt.Errorf("an id is %d lower-case hex digits, got %q", hex.EncodedLen(len(id)), clip(s))
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return ID{}, fmt.Errorf("an id is hex digits, got %q", clip(s))
	}
	return id, nil
}

// MarshalText returns all 64 digits; the zero ID is an error, because "none" is
// said by leaving the member out.
func (id ID) MarshalText() ([]byte, error) {
	if id.IsZero() {
		return nil, fmt.Errorf("the zero id cannot be written")
	}
	return hex.AppendEncode(nil, id[:]), nil
}

// UnmarshalText is the inverse of MarshalText.
func (id *ID) UnmarshalText(b []byte) error {
	got, err := ParseID(string(b))
	if err == nil && got.IsZero() {
		err = fmt.Errorf("the zero id cannot be cited")
	}
	*id = got
	return err
}

// A Ref is how people and records point at a record: "belief:3f9a…".
type Ref struct {
	Kind Kind
	ID   ID
}

// String returns the full form, as in signed bytes.
//
//go:noinline
func (r Ref) String() string { return string(r.Kind) + ":" + r.ID.String() }

// Short returns the form people read: the kind and 8 hex digits.
//
//go:noinline
func (r Ref) Short() string { return string(r.Kind) + ":" + r.ID.Short() }

// IsZero reports whether r points at nothing.
func (r Ref) IsZero() bool { return r == Ref{} }

// ParseRef reads a full ref, "kind:<64 hex>". The kind may be one this binary
// does not know.
func ParseRef(s string) (Ref, error) {
	kind, digits, ok := strings.Cut(s, ":")
	if !ok || !wellFormedKind(kind) {
		return Ref{}, fmt.Errorf("a ref is kind:id, got %q", clip(s))
	}
	id, err := ParseID(digits)
	if err != nil {
		return Ref{}, fmt.Errorf("ref %q: %w", clip(s), err)
	}
	return Ref{Kind(kind), id}, nil
}

// MarshalText returns the full form.
func (r Ref) MarshalText() ([]byte, error) {
	if r.ID.IsZero() {
		return nil, fmt.Errorf("a ref to nothing cannot be written")
	}
	return []byte(r.String()), nil
}

// UnmarshalText is the inverse of MarshalText.
func (r *Ref) UnmarshalText(b []byte) error {
	got, err := ParseRef(string(b))
	if err == nil && got.ID.IsZero() {
		err = fmt.Errorf("the zero id cannot be cited")
	}
	*r = got
	return err
}

// clip keeps what a person typed short enough for one line of an error.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return shorten.To(s, most) + "…"
	}
	return s
}
