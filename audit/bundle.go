package audit

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Lines are verified a page at a time, which is bounded in both ways.
const (
	pageLines = 1024
	pageBytes = 8 << 20
)

// Bundle audits a file that an export wrote. An error is about reading it; what
// is wrong in it is in the report.
func Bundle(ctx context.Context, r io.Reader, o Options) (Report, error) {
	a, err := New(o)
	if err != nil {
		return Report{}, err
	}
	// One page is read and one taken in while another is verified.
	ctx, cancel := context.WithCancel(ctx)
	var stages sync.WaitGroup
	defer stages.Wait()
	defer cancel()
	pages, checked := make(chan []input), make(chan []output)
	var read error
	stages.Go(func() {
		defer close(pages)
		read = eachPage(ctx, r, pages)
	})
	stages.Go(func() {
		defer close(checked)
		for page := range pages {
			select {
			case checked <- verifyAll(page):
			case <-ctx.Done():
				return
			}
		}
	})
	for page := range checked {
		a.absorb(page)
	}
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	if read != nil {
		return Report{}, read
	}
	return a.Report(), nil
}

// eachPage reads lines and sends them on.
func eachPage(ctx context.Context, r io.Reader, pages chan<- []input) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var page []input
	size := 0
	send := func() bool {
		select {
		case pages <- page:
			page, size = nil, 0
			return true
		case <-ctx.Done():
			return false
		}
	}
	for n := 1; ; n++ {
		raw, err := readLine(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return fmt.Errorf("audit: read line %d: %w", n, err)
		}
		page = append(page, input{line: n, raw: raw, tooLong: err != nil})
		if size += len(raw); len(page) == pageLines || size > pageBytes {
			if !send() {
				return ctx.Err()
			}
		}
	}
	send()
	return ctx.Err()
}

var errTooLong = errors.New("the line is too long")

// readLine gives the next line, in memory of its own. Of one that is too long it
// reads the rest and gives nothing.
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
	sealed *sealed // nil where a store has purged it
}

// output is what became of an input.
type output struct {
	line
	checked
	in  *input
	bad error // it is no line of a bundle
}

// verifyAll verifies a page by all processors.
func verifyAll(page []input) []output {
	out := make([]output, len(page))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(page)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(page); i = int(next.Add(1)) - 1 {
				out[i] = page[i].check()
				out[i].in, page[i].raw = &page[i], nil
			}
		})
	}
	workers.Wait()
	return out
}

func (in *input) check() (out output) {
	switch {
	case in.tooLong:
		out.bad = errTooLong
	case in.kept != nil && in.sealed == nil:
		out.purged = &purged{in.kept.ref}
	case in.kept != nil:
		out.checked, out.envelope = in.sealed.verify(), &envelope{}
	default:
		if out.line, out.bad = parseLine(in.raw); out.bad == nil && out.envelope != nil {
			e := out.envelope
			out.checked = (&sealed{payloadType: e.payloadType, payload: e.payload, sigs: e.sigs}).verify()
			e.payload = nil
		}
	}
	return out
}
