package audit

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/stemma-memory/stemma/audit/report"
	"io"
)

// Bundle audits a file that an export wrote. An error means that the file could not be read;
// the problems of its content are in the report.
func Bundle(ctx context.Context, r io.Reader, o Options) (report.Report, error) {
	a, err := New(o)
	if err != nil {
		return report.Report{}, err
	}
	if err := a.bundle(ctx, r); err != nil {
		return report.Report{}, err
	}
	return a.Report(), nil
}

// bundle takes in the lines of a bundle.
func (a *Auditor) bundle(ctx context.Context, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var lines []input
	size := 0
	for n := 1; ; n++ {
		raw, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return fmt.Errorf("audit: read line %d: %w", n, err)
		}
		lines = append(lines, input{line: n, raw: raw, tooLong: err != nil})
		if size += len(raw); len(lines) == batchLines || size > batchBytes {
			if err := a.send(ctx, lines, size); err != nil {
				return err
			}
			lines, size = make([]input, 0, batchLines), 0
		}
	}
	return a.send(ctx, lines, size)
}

var errTooLong = errors.New("the line is too long")

// readLine returns the next line in its own memory. A line that is too long is skipped and
// returned as nil.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for long := false; ; {
		part, err := in.ReadSlice('\n')
		if long = long || len(out)+len(part) > maxEnvelope; long {
			out = nil
		} else {
			out = append(out, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (!errors.Is(err, io.EOF) || len(part) == 0 && len(out) == 0 && !long):
			return nil, err
		case long:
			return nil, errTooLong
		default:
			return bytes.TrimSuffix(out, []byte("\n")), nil
		}
	}
}

// input is a line of a bundle, or a statement of a store.
type input struct {
	line    int
	raw     []byte
	tooLong bool

	kept   *place
	known  bool    // it was verified before
	sealed *sealed // nil where a store has purged it
}

// output is what became of an input.
type output struct {
	line
	checked
	in  *input
	bad error // it is no line of a bundle
}

// open reads what an input is. What bears signatures is then sealed.
func (out *output) open(in *input) {
	switch {
	case in.tooLong:
		out.bad = errTooLong
	case in.known:
	case in.kept != nil && in.sealed == nil:
		out.purged = &purged{in.kept.ref}
	case in.kept != nil:
		out.envelope = &envelope{}
	default:
		if out.line, out.bad = parseLine(in.raw); out.bad == nil && out.envelope != nil {
			e := out.envelope
			in.sealed = &sealed{payloadType: e.payloadType, payload: e.payload, sigs: e.sigs}
			e.payload = nil
		}
	}
}
