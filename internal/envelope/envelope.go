// Package envelope writes a record as one line, a DSSE envelope over its signed
// bytes, and reads such lines from strangers. Exports, bundles and what peers send
// each other are made of these lines.
package envelope

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// An Envelope is the members of a line that holds a record.
type Envelope struct {
	Payload     []byte      `json:"payload,omitempty"`
	PayloadType string      `json:"payloadType,omitempty"`
	Signatures  []Signature `json:"signatures,omitempty"`
}

// A Signature is one of an envelope.
type Signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// Most bounds one line, in bytes: a record of the greatest size in base64 with its
// signatures.
const Most = memory.MaxRecord*4/3 + 64<<10

// Of returns the envelope of a record.
func Of(r *memory.Record) Envelope {
	e := Envelope{Payload: r.Bytes, PayloadType: TypeOf(r)}
	for _, s := range r.Sigs {
		e.Signatures = append(e.Signatures, Signature{s.Key, s.Sig})
	}
	return e
}

// Write returns the one way to write r as a line, without a newline.
func Write(r *memory.Record) ([]byte, error) {
	e := Of(r)
	if line, ok := e.quick(); ok {
		return line, nil
	}
	return json.Marshal(e)
}

// Decode reads one JSON value strictly: no unknown members, nothing after it.
func Decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var corrupt base64.CorruptInputError
		if errors.As(err, &corrupt) {
			return fmt.Errorf("base64 is damaged")
		}
		return fmt.Errorf("not a line of an export: %w", err)
	}
	if d.More() {
		return fmt.Errorf("text after the envelope")
	}
	return nil
}

// Record reads the record of an envelope; whether its signatures hold is for
// Verify.
func (e *Envelope) Record() (*memory.Record, error) {
	r, err := memory.Decode(e.Payload)
	if err != nil {
		return nil, err
	}
	if want := TypeOf(r); e.PayloadType != want {
		return nil, fmt.Errorf("%s: payload type is %q, not %q", r.Ref().Short(), e.PayloadType, want)
	}
	for _, s := range e.Signatures {
		r.Sigs = append(r.Sigs, memory.Signature{Key: s.KeyID, Sig: s.Sig})
	}
	return r, nil
}

// Parse reads one line that holds a record.
func Parse(raw []byte) (*memory.Record, error) {
	if len(raw) > Most {
		return nil, fmt.Errorf("a line of %d bytes, the most is %d", len(raw), Most)
	}
	e, ok := quickly(raw)
	if !ok {
		if err := Decode(raw, &e); err != nil {
			return nil, err
		}
	}
	return e.Record()
}

// Read reads one line and believes nothing of it: the bytes must be canonical, of
// the type they say, and signed by their author and by every other key they claim.
func Read(raw []byte) (*memory.Record, error) {
	r, err := Parse(raw)
	if err != nil {
		return nil, err
	}
	return r, Verify(r)
}

// TypeOf returns the payload type of r.
func TypeOf(r *memory.Record) string {
	return keys.PayloadType(string(r.Header.Kind), r.Header.V)
}

// Verify returns an error unless r is signed by its author first, and every
// signature holds.
func Verify(r *memory.Record) error {
	if len(r.Sigs) == 0 || r.Sigs[0].Key != r.Header.Author {
		return fmt.Errorf("%s: not signed by its author", r.Ref().Short())
	}
	for _, s := range r.Sigs {
		if err := keys.Verify(s.Key, TypeOf(r), r.Bytes, s.Sig); err != nil {
			return fmt.Errorf("%s: %w", r.Ref().Short(), err)
		}
	}
	return nil
}

// VerifyAll is Verify of records that come together, which takes less time.
func VerifyAll(rs []*memory.Record) []error {
	batch, first := keys.NewBatch(len(rs)), make([]int, len(rs))
	for i, r := range rs {
		for j, s := range r.Sigs {
			if no := batch.Add(s.Key, TypeOf(r), r.Bytes, s.Sig); j == 0 {
				first[i] = no
			}
		}
	}
	batch.Verify()
	out := make([]error, len(rs))
	for i, r := range rs {
		if len(r.Sigs) == 0 || r.Sigs[0].Key != r.Header.Author {
			out[i] = fmt.Errorf("%s: not signed by its author", r.Ref().Short())
			continue
		}
		for j := range r.Sigs {
			if err := batch.Err(first[i] + j); err != nil {
				out[i] = fmt.Errorf("%s: %w", r.Ref().Short(), err)
				break
			}
		}
	}
	return out
}

// A Reading is one line as ReadAll found it.
type Reading struct {
	Record *memory.Record // nil where it could not be read at all
	Err    error
}

// ReadAll reads lines, in order, with all processors.
func ReadAll[Line ~[]byte](lines []Line) []Reading {
	out := make([]Reading, len(lines))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(lines)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(lines); i = int(next.Add(1)) - 1 {
				out[i].Record, out[i].Err = Read(lines[i])
			}
		})
	}
	workers.Wait()
	return out
}

// SignedBy reports whether a signature of the bytes is their author's.
func SignedBy(r *memory.Record, sig []byte) bool {
	one := *r
	one.Sigs = []memory.Signature{{Key: r.Header.Author, Sig: bytes.Clone(sig)}}
	return Verify(&one) == nil
}
