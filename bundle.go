package stemma

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
)

// line is one line of an export: a DSSE envelope, word of a purged record, or what
// shows where records stand in a log.
type line struct {
	Payload     []byte          `json:"payload,omitempty"`
	PayloadType string          `json:"payloadType,omitempty"`
	Signatures  []lineSig       `json:"signatures,omitempty"`
	Purged      *purged         `json:"purged,omitempty"`
	Checkpoint  *checkpointLine `json:"checkpoint,omitempty"`
	Inclusion   *inclusionLine  `json:"inclusion,omitempty"`
}

// checkpointLine says what a log was.
type checkpointLine struct {
	Note  string `json:"note"`
	Space string `json:"space"`
}

// inclusionLine shows that a record stands in a log.
type inclusionLine struct {
	Hashes []string   `json:"hashes"`
	Index  int64      `json:"index"`
	Ref    memory.Ref `json:"ref"`
	Size   int64      `json:"size"`
	Space  string     `json:"space"`
}

type lineSig struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

type purged struct {
	Ref memory.Ref `json:"ref"`
}

// writeLine gives the one way to write r as a line, its newline included.
func writeLine(r *memory.Record) ([]byte, error) {
	l := line{Payload: r.Bytes, PayloadType: typeOf(r)}
	for _, s := range r.Sigs {
		l.Signatures = append(l.Signatures, lineSig{s.Key, s.Sig})
	}
	return marshalLine(l)
}

func marshalLine(l line) ([]byte, error) {
	raw, err := json.Marshal(l)
	return append(raw, '\n'), err
}

func writeLines(rs ...*memory.Record) ([]byte, error) {
	var out []byte
	for _, r := range rs {
		l, err := writeLine(r)
		if err != nil {
			return nil, err
		}
		out = append(out, l...)
	}
	return out, nil
}

// errProof marks a line that is for auditors.
var errProof = errors.New("a proof")

// errPurged marks a line that only says that a record was purged.
var errPurged = errors.New("purged")

// readLine reads one line of a bundle and believes nothing of it: the bytes
// must be canonical, of the type they say, and signed by their author and by
// every other key they claim.
func readLine(raw []byte) (*memory.Record, error) {
	r, err := parseLine(raw)
	if err != nil {
		return nil, err
	}
	return r, verify(r)
}

// parseLine reads one line; whether its signatures hold is for verify.
func parseLine(raw []byte) (*memory.Record, error) {
	var l line
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		var corrupt base64.CorruptInputError
		if errors.As(err, &corrupt) {
			return nil, fmt.Errorf("base64 is damaged")
		}
		return nil, fmt.Errorf("not a line of an export: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("text after the envelope")
	}
	switch {
	case len(l.Payload) > 0:
	case l.Purged != nil:
		return nil, errPurged
	case l.Checkpoint != nil || l.Inclusion != nil:
		return nil, errProof
	}
	r, err := memory.Decode(l.Payload)
	if err != nil {
		return nil, err
	}
	if want := typeOf(r); l.PayloadType != want {
		return nil, fmt.Errorf("%s: payload type is %q, not %q", r.Ref().Short(), l.PayloadType, want)
	}
	for _, s := range l.Signatures {
		r.Sigs = append(r.Sigs, memory.Signature{Key: s.KeyID, Sig: s.Sig})
	}
	return r, nil
}

// typeOf gives the payload type of r.
func typeOf(r *memory.Record) string {
	return keys.PayloadType(string(r.Header.Kind), r.Header.V)
}

// verify returns an error unless r is signed by its author first, and every
// signature holds.
func verify(r *memory.Record) error {
	if len(r.Sigs) == 0 || r.Sigs[0].Key != r.Header.Author {
		return fmt.Errorf("%s: not signed by its author", r.Ref().Short())
	}
	for _, s := range r.Sigs {
		if err := keys.Verify(s.Key, typeOf(r), r.Bytes, s.Sig); err != nil {
			return fmt.Errorf("%s: %w", r.Ref().Short(), err)
		}
	}
	return nil
}

// readLines reads a small bundle whole, without verifying it.
func readLines(raw []byte) ([]*memory.Record, error) {
	var rs []*memory.Record
	n := 0
	for l := range bytes.Lines(raw) {
		n++
		r, err := parseLine(l)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rs = append(rs, r)
	}
	return rs, nil
}
