package core

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/envelope"
)

// maxLine bounds one line of an import, in bytes: a record of the greatest size
// in base64 with its signatures.
const maxLine = envelope.Most

// eachLine calls do with every line and its number, from 1, until it gives an
// error.
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

// badLine names the line that an error is about, unless the error has a kind of
// its own.
func BadLine(n int, err error) error {
	if kind := Sorted(err); HasKind(kind) && !errors.Is(kind, api.ErrInvalid) {
		return kind
	}
	return Invalid("line %d: %s", n, OneLine(err))
}
