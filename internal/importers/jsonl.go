package importers

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
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
	// ids from those of other sources. Was is how it was named before.
	Source, Was string

	// Held returns those of some aliases that the store has. Where it is nil, a
	// source that is in no line before is left for Engine.Ingest to look for.
	Held func(ctx context.Context, aliases ...string) (map[string]memory.Ref, error)

	// Bad is told what is wrong with a line, which is then left out. Where it is nil, the first
	// bad line ends the reading before any record is given.
	Bad func(line int, err error)
}

// readLines reads files of lines.
func readLines(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		l := Lines{Source: r.name(f), Was: r.was(), Held: r.source.Held}
		if r.tree.dir && r.source.Name == "" {
			l.Source, l.Was = l.Source+"/"+f.name, ""
		}
		l.Bad = func(n int, err error) {
			row := fmt.Sprintf("line %d", n)
			if where := r.where(f); where != "" {
				row = where + ", " + row
			}
			r.found.Lost.bad("%s: %s", row, strings.TrimPrefix(flat(err), fmt.Sprintf("line %d: ", n)))
		}
		in, err := r.open(f)
		if err != nil {
			return err
		}
		defer in.Close()
		seq, _, err := l.Read(r.ctx, in)
		if err != nil {
			return err
		}
		for one, err := range seq {
			if err != nil {
				return err
			}
			if err := r.give(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// JSONL reads lines of JSON from r: see Lines, of which it knows nothing but the
// source.
func JSONL(r io.Reader, source string) (Sequence, error) {
	seq, _, err := Lines{Source: source}.Read(context.Background(), r)
	return seq, err
}

// Read checks every line as strictly as the store would before it gives the first record. It also
// says how many good lines there are. What cannot be read twice is copied to a temporary file
// meanwhile. The sequence can be gone through once.
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
	bad, total, err := l.check(ctx, again, begin)
	if err != nil {
		return nil, 0, err
	}
	if _, err = again.Seek(begin, io.SeekStart); err != nil {
		return nil, 0, fmt.Errorf("import jsonl: %w", err)
	}
	return func(yield func(api.Foreign, error) bool) {
		defer done()
		ids := make(map[idHash]bool)
		more := true
		err := eachLine(ctx, again, func(n int, raw []byte, long error) error {
			if bad[n] {
				return nil
			}
			line, err := parseLine(raw)
			if err != nil {
				return cmp.Or(long, err) // the file changed since it was checked
			}
			f := line.foreign(l.Source, func(id string) bool { return ids[hashOf(id)] })
			f.Alias = append(f.Alias, "jsonl:="+derivedID(line.canonical))
			if l.Was != "" {
				f.Was = []string{alias(l.Was, line.id)}
			}
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

// check goes through all lines and stores nothing. A line may rest on one that turns out to be bad only
// at the end, so it goes through them until no more are.
func (l Lines) check(ctx context.Context, r io.ReadSeeker, begin int64) (bad map[int]bool, total int, err error) {
	refused := make(map[string]string)
	for {
		if _, err := r.Seek(begin, io.SeekStart); err != nil {
			return nil, 0, fmt.Errorf("import jsonl: %w", err)
		}
		c := newRehearsal(l.Source)
		c.refused = refused
		wrong := make(map[int]error)
		lines := 0
		err = eachLine(ctx, r, func(n int, raw []byte, err error) error {
			lines = n
			var line *line
			if err == nil {
				line, err = parseLine(raw)
			}
			if err == nil {
				digest := sha256.Sum256(line.canonical)
				err = c.add(n, line, [16]byte(digest[:]))
			}
			if err != nil && l.Bad == nil {
				return err
			}
			if err != nil {
				wrong[n] = err
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		more, err := c.finish(ctx, l.Held)
		if err != nil {
			return nil, 0, err
		}
		if len(more) > 0 && l.Bad == nil {
			return nil, 0, api.Invalid("%s", more[0].text)
		}
		for _, m := range more {
			refused[m.alias] = m.text
		}
		if len(more) > 0 {
			continue
		}
		bad = make(map[int]bool)
		for _, n := range slices.Sorted(maps.Keys(wrong)) {
			bad[n] = true
			l.Bad(n, wrong[n])
		}
		return bad, lines - len(bad), nil
	}
}

// eachLine calls do with every line and its number, from 1, and puts the number
// before what is wrong with it.
func eachLine(ctx context.Context, r io.Reader, do func(n int, raw []byte, long error) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := boundedLine(in)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended && !errors.Is(err, errLongLine) {
			return fmt.Errorf("import jsonl: line %d: %w", n, err)
		}
		if ended && len(line) == 0 {
			return nil
		}
		if n == 1 {
			if isUTF16(line) {
				return api.Invalid("line 1: the text is UTF-16 and has no decoder here")
			}
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if ended {
			err = nil
		}
		if err := do(n, bytes.TrimRight(line, "\r\n"), err); err != nil {
			if errors.Is(err, errEnough) {
				return err
			}
			return atLine(n, err)
		}
		if ended {
			return nil
		}
	}
}

var errLongLine = fmt.Errorf("is longer than %d MiB", maxLine>>20)

// boundedLine returns a line, or passes one that is too long.
func boundedLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return nil, errLongLine
		}
		return line, err
	}
}

// isUTF16 reports whether a text begins as one in UTF-16 does.
func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// atLine says that line n is bad input, in one line.
func atLine(n int, err error) error {
	return api.Invalid("line %d: %s", n, strings.ReplaceAll(err.Error(), "\n", "; "))
}
