package importers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/memory"
)

// maxLine bounds one line, in bytes: the words of a raw twice, for what escapes
// take.
const maxLine = 2 << 20

// Lines reads lines of JSON, one record each.
type Lines struct {
	// Source names where the lines come from, such as the file; it tells their
	// ids from those of other sources.
	Source string

	// Held returns those of some aliases that the store has. Where it is nil, a
	// source that is in no line before is left for Engine.Ingest to look for.
	Held func(ctx context.Context, aliases ...string) (map[string]memory.Ref, error)
}

type held = func(context.Context, ...string) (map[string]memory.Ref, error)

// JSONL reads lines of JSON from r: see Lines, of which it knows nothing but the
// source.
func JSONL(r io.Reader, source string) (Sequence, error) {
	seq, _, err := Lines{Source: source}.Read(context.Background(), r)
	return seq, err
}

// Read checks every line as strictly as the store would before it gives the
// first record: an error names the line at fault, and no one has been
// given a record yet. It also gives how many lines there are. What cannot be read twice
// is copied to a temporary file meanwhile. The sequence can be gone through once.
func (l Lines) Read(ctx context.Context, r io.Reader) (_ Sequence, total int, err error) {
	if strings.TrimSpace(l.Source) == "" {
		return nil, 0, api.Invalid("import jsonl: the source needs a name")
	}
	again, done, err := intake.Rewindable(r)
	if err != nil {
		return nil, 0, fmt.Errorf("import jsonl: %w", err)
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	begin, err := again.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0, fmt.Errorf("import jsonl: %w", err)
	}
	if total, err = l.check(ctx, again); err != nil {
		return nil, 0, err
	}
	if _, err = again.Seek(begin, io.SeekStart); err != nil {
		return nil, 0, fmt.Errorf("import jsonl: %w", err)
	}
	return func(yield func(api.Foreign, error) bool) {
		defer done()
		ids := make(map[idHash]bool)
		more := true
		err := eachLine(ctx, again, func(_ int, raw []byte) error {
			line, err := parseLine(raw)
			if err != nil {
				return err // the file changed since it was checked
			}
			f := line.foreign(l.Source, func(id string) bool { return ids[hashOf(id)] })
			ids[hashOf(line.id)] = true
			if more = yield(f, nil); !more {
				return errEnough
			}
			return nil
		})
		if err != nil && more {
			yield(api.Foreign{}, err)
		}
	}, total, nil
}

var errEnough = errors.New("no more lines are wanted")

// check goes through all lines and stores nothing.
func (l Lines) check(ctx context.Context, r io.Reader) (total int, err error) {
	c := newRehearsal(l.Source)
	err = eachLine(ctx, r, func(n int, raw []byte) error {
		total = n
		line, err := parseLine(raw)
		if err != nil {
			return err
		}
		digest := sha256.Sum256(line.canonical)
		return c.add(n, line, [16]byte(digest[:]))
	})
	if err != nil {
		return 0, err
	}
	return total, c.finish(ctx, l.Held)
}

// eachLine calls do with every line and its number, from 1, and puts the number
// before what is wrong with it.
func eachLine(ctx context.Context, r io.Reader, do func(n int, raw []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for in.Scan() {
		n++
		if err := ctx.Err(); err != nil {
			return err
		}
		line := in.Bytes()
		if n == 1 {
			if utf16(line) {
				return api.Invalid("line 1: %s", isUTF16)
			}
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if err := do(n, line); err != nil {
			return atLine(n, err)
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return api.Invalid("line %d: is longer than %d MiB", n+1, maxLine>>20)
	case err != nil:
		return fmt.Errorf("import jsonl: line %d: %w", n+1, err)
	}
	return nil
}

// isUTF16 says what to do about a text in UTF-16.
const isUTF16 = "the text is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8"

// utf16 reports whether a text begins as one in UTF-16 does.
func utf16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// atLine says that line n is bad input, in one line.
func atLine(n int, err error) error {
	return api.Invalid("line %d: %s", n, strings.ReplaceAll(err.Error(), "\n", "; "))
}
