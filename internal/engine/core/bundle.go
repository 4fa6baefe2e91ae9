package core

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/memory"
)

// Line is one line of an export: the envelope of a record, a notice of a purged record, or a
// checkpoint or proof of a log.
type Line struct {
	envelope.Envelope
	Purged     *Purged         `json:"purged,omitempty"`
	Checkpoint *CheckpointLine `json:"checkpoint,omitempty"`
	Inclusion  *InclusionLine  `json:"inclusion,omitempty"`
}

// CheckpointLine says what a log was.
type CheckpointLine struct {
	Note  string `json:"note"`
	Space string `json:"space"`
}

// InclusionLine proves that a record is in a log.
type InclusionLine struct {
	Hashes []string   `json:"hashes"`
	Index  int64      `json:"index"`
	Ref    memory.Ref `json:"ref"`
	Size   int64      `json:"size"`
	Space  string     `json:"space"`
}

type Purged struct {
	Ref memory.Ref `json:"ref"`
}

// WriteLine returns the one way to write r as a line, its newline included.
func WriteLine(r *memory.Record) ([]byte, error) {
	return MarshalLine(Line{Envelope: envelope.Of(r)})
}

func MarshalLine(l Line) ([]byte, error) {
	raw, err := json.Marshal(l)
	return append(raw, '\n'), err
}

func WriteLines(rs ...*memory.Record) ([]byte, error) {
	var out []byte
	for _, r := range rs {
		l, err := WriteLine(r)
		if err != nil {
			return nil, err
		}
		out = append(out, l...)
	}
	return out, nil
}

// ErrProof marks a line that is for auditors.
var ErrProof = errors.New("a proof")

// ErrPurged marks a line that only says that a record was purged.
var ErrPurged = errors.New("purged")

// ReadLine reads one line of a bundle and believes nothing of it: the bytes
// must be canonical, of the type they say, and signed by their author and by
// every other key they claim.
func ReadLine(raw []byte) (*memory.Record, error) {
	r, err := ParseLine(raw)
	if err != nil {
		return nil, err
	}
	return r, Verify(r)
}

// ParseLine reads one line; whether its signatures hold is for verify.
func ParseLine(raw []byte) (*memory.Record, error) {
	var l Line
	if err := envelope.Decode(raw, &l); err != nil {
		return nil, err
	}
	switch {
	case len(l.Payload) > 0:
	case l.Purged != nil:
		return nil, ErrPurged
	case l.Checkpoint != nil || l.Inclusion != nil:
		return nil, ErrProof
	}
	return l.Record()
}

// TypeOf returns the payload type of r.
func TypeOf(r *memory.Record) string { return envelope.TypeOf(r) }

// Verify returns an error unless r is signed by its author first, and every
// signature holds.
func Verify(r *memory.Record) error { return envelope.Verify(r) }

// readLines reads a small bundle whole, without verifying it.
func readLines(raw []byte) ([]*memory.Record, error) {
	var rs []*memory.Record
	n := 0
	for l := range bytes.Lines(raw) {
		n++
		r, err := ParseLine(l)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rs = append(rs, r)
	}
	return rs, nil
}

// maxLine bounds one line of an import, in bytes: a record of the greatest size
// in base64 with its signatures.
const maxLine = envelope.Most

// EachLine calls do with every line and its number, from 1, until it returns an error.
func EachLine(ctx context.Context, r io.Reader, do func(n int, raw []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for in.Scan() {
		n++
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(in.Bytes()) == 0 {
			return Invalid("line %d: is empty", n)
		}
		if err := do(n, in.Bytes()); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return Invalid("line %d: %v", n+1, err)
	}
	return nil
}

// BadLine names the line that an error is about, unless the error has a kind of
// its own.
func BadLine(n int, err error) error {
	if kind := Classify(err); HasKind(kind) && !errors.Is(kind, api.ErrInvalid) {
		return kind
	}
	return Invalid("line %d: %s", n, OneLine(err))
}

// ExportPage is how many records are read at a time.
const ExportPage = 1000
