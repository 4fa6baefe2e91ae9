package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/canon"
)

// A Record is one immutable thing remembered or claimed. Make one with New,
// Decode or Load, never by hand: Bytes and ID must agree with Header and Body.
type Record struct {
	ID     ID
	Header Header
	Body   Body
	Bytes  []byte      // canonical bytes: hashed, signed, stored and synced as they are
	Sigs   []Signature // over Bytes, the author's first
}

// A Signature is what one key made of a record's bytes.
type Signature struct {
	Key string // did:key
	Sig []byte
}

// Ref returns the reference by which others cite r.
func (r *Record) Ref() Ref { return Ref{r.Header.Kind, r.ID} }

// Headline returns r in one line.
func (r *Record) Headline() string { return r.Body.headline() }

// Words returns what search reads of r: the body's words and the entities.
func (r *Record) Words() string { return joined(r.Body.words(), list(r.Header.About)) }

// MaxRecord bounds the canonical bytes of one record.
const MaxRecord = 8 << 20

// envelope is a record as it is written: the header's members and the body.
type envelope[B any] struct {
	Header
	Body B `json:"body"`
}

// New makes a record of a header and a body, and gives it its ID. It sorts what
// is kept sorted and sets V and Kind. The header and body must not be changed
// afterwards.
func New(h Header, b Body) (*Record, error) {
	raw, err := Write(h, b)
	if err != nil {
		return nil, err
	}
	return Decode(raw) // what New makes, Decode takes
}

// Write returns the canonical bytes of the record that New makes, for one who
// signs them while Decode reads them back. Nothing may be kept that Decode does
// not take.
func Write(h Header, b Body) ([]byte, error) {
	if o, unknown := b.(*Opaque); unknown {
		return nil, bad("kind", "%q is not known here: such records are kept, not made", o.of)
	}
	h.V, h.Kind = Version, b.kind()
	h.About, h.Tags, h.Alias = asSet(h.About), asSet(h.Tags), asSet(h.Alias)
	if err := check(&h, b); err != nil {
		return nil, err
	}
	raw, err := canon.Marshal(envelope[Body]{h, b})
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", h.Kind, err)
	}
	return raw, nil
}

// Decode reads a record from bytes of any origin. It takes only canonical
// bytes: New of what it read gives the same bytes. A kind or version this
// binary does not know becomes Opaque and still verifies, stores and syncs. The
// record keeps raw, which must not be changed afterwards.
func Decode(raw []byte) (*Record, error) {
	if len(raw) > MaxRecord {
		return nil, bad("record", "must be at most %d bytes, got %d", MaxRecord, len(raw))
	}
	if err := canon.Check(raw); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotCanonical, err)
	}
	r, err := Load(raw)
	if err != nil {
		return nil, err
	}
	if _, ok := r.Body.(*Opaque); ok {
		return r, r.checkOpaque()
	}
	if err := check(&r.Header, r.Body); err != nil {
		return nil, err
	}
	if writes(raw, &r.Header, r.Body) {
		return r, nil
	}
	if err := rewrites(raw, &r.Header, r.Body); err != nil {
		return nil, err
	}
	return r, nil
}

// rewrites returns nil if a record of this header and body is written as raw. It
// is what decides: writes only knows beforehand.
func rewrites(raw []byte, h *Header, b Body) error {
	again, err := canon.Marshal(envelope[Body]{*h, b})
	if err != nil || !bytes.Equal(again, raw) {
		return errors.Join(ErrNotCanonical, err)
	}
	return nil
}

// Load reads a record from our own rows: bytes that Decode or New has seen
// before. It checks nothing but that they parse.
func Load(raw []byte) (*Record, error) {
	var e envelope[json.RawMessage]
	if h, body, ok := readHeader(raw); ok {
		e.Header, e.Body = h, body
	} else if err := json.Unmarshal(raw, &e); err != nil {
		return load(raw) // a newer version may give members other types
	}
	r := &Record{ID: sha256.Sum256(raw), Header: e.Header, Bytes: raw}
	k, known := kinds[e.Kind]
	if !known || e.V != Version {
		r.Body = &Opaque{e.Kind, e.Body}
		return r, nil
	}
	if r.Body = k.New(); readBody(e.Body, r.Body) {
		return r, nil
	}
	r.Body = k.New()
	if err := json.Unmarshal(e.Body, r.Body); err != nil {
		return nil, fmt.Errorf("read the body of a %s: %w", e.Kind, err)
	}
	return r, nil
}

// load reads what can be read of a record whose header does not have our
// members: its version and its kind, to keep it as opaque.
func load(raw []byte) (*Record, error) {
	var e struct {
		V      int             `json:"v"`
		Kind   Kind            `json:"kind"`
		Author string          `json:"author"`
		Space  string          `json:"space"`
		Body   json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	if e.V == Version {
		var strict envelope[json.RawMessage]
		return nil, fmt.Errorf("read the header of a record: %w", json.Unmarshal(raw, &strict))
	}
	h := Header{V: e.V, Kind: e.Kind, Author: e.Author, Space: e.Space}
	return &Record{ID: sha256.Sum256(raw), Header: h, Body: &Opaque{e.Kind, e.Body}, Bytes: raw}, nil
}

// check holds a record together: its header, its body, and what one allows the
// other.
func check(h *Header, b Body) error {
	err := errors.Join(h.check(), b.check())
	if err != nil {
		return fmt.Errorf("%s: %w", h.Kind, err)
	}
	if h.Kind == KindKey && h.Origin != OriginOwner {
		return fmt.Errorf("key: %w", bad("origin", "must be owner: keys are an owner's affair"))
	}
	return nil
}

// Ends reports whether a record is to end what a key may say: it replaces one, or takes
// one back. A store lets it come after all that came before it.
func (r *Record) Ends() bool {
	k, ok := r.Body.(*Key)
	return ok && (k.Op == OpRotate || k.Op == OpRevoke)
}

// HasCode reports whether r names a piece of code as evidence.
func (r *Record) HasCode() bool {
	for _, e := range r.Header.Provenance.Evidence {
		if e.Type == "code" {
			return true
		}
	}
	return false
}

// Cites returns every ref r makes with the kind it names, for a check that the
// kinds are true.
func (r *Record) Cites() []Ref {
	p := &r.Header.Provenance
	out := append(append([]Ref(nil), p.From...), p.Supersedes...)
	out = append(out, Subjects(r.Body)...)
	if a, ok := r.Body.(*Assess); ok {
		out = append(out, a.Because...)
	}
	return out
}
