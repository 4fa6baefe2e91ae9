package stemma

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// importBatch is how many records are stored at a time.
const importBatch = 1000

// maxLine bounds one line of an import, in bytes: a record of the greatest size
// in base64 with its signatures.
const maxLine = memory.MaxRecord*4/3 + 64<<10

// ImportReply counts what was read.
type ImportReply struct {
	Lines   int `json:"lines"`
	Added   int `json:"added"`
	Present int `json:"already_there"`
	Purged  int `json:"purged"`
}

// Import reads what Export wrote. Every line is verified before any is stored:
// a bad one is named by its number and nothing is changed. Records keep their
// ids, times, lineage and signatures; what is there already is left as it is.
// Progress, where it is not nil, is called with how many lines are stored.
func (e *Engine) Import(ctx context.Context, r io.Reader, progress func(done int)) (ImportReply, error) {
	var reply ImportReply
	spool, done, err := rewindable(r)
	if err != nil {
		return reply, err
	}
	defer done()
	begin, err := spool.Seek(0, io.SeekCurrent)
	if err != nil {
		return reply, fmt.Errorf("import: %w", err)
	}
	if reply.Lines, reply.Purged, err = e.verifyLines(ctx, spool); err != nil {
		return reply, err
	}
	if _, err := spool.Seek(begin, io.SeekStart); err != nil {
		return reply, fmt.Errorf("import: %w", err)
	}
	err = e.storeLines(ctx, spool, &reply, progress)
	reply.Present = reply.Lines - reply.Purged - reply.Added
	return reply, err
}

// rewindable gives r as something that can be read twice: itself if it is a
// file, otherwise a copy in a temporary file that done removes.
func rewindable(r io.Reader) (_ io.ReadSeeker, done func(), err error) {
	if s, ok := r.(io.ReadSeeker); ok {
		if _, err := s.Seek(0, io.SeekCurrent); err == nil {
			return s, func() {}, nil
		}
	}
	f, err := os.CreateTemp("", "stemma-import-*")
	if err != nil {
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	done = func() {
		f.Close()
		os.Remove(f.Name())
	}
	if _, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	return f, done, nil
}

// verifyLines reads every line as a stranger's and stores nothing.
func (e *Engine) verifyLines(ctx context.Context, r io.Reader) (lines, purged int, err error) {
	ring := memory.NewKeyring()
	err = eachLine(ctx, r, func(n int, raw []byte) error {
		lines = n
		rec, err := readLine(raw)
		if errors.Is(err, errPurged) {
			purged++
			return nil
		}
		if err != nil {
			return err
		}
		ring.Add(rec)
		return e.checkStanding(ctx, ring, rec)
	})
	return lines, purged, err
}

// checkStanding refuses a record whose delegation is neither in the bundle
// before it nor in the store, or does not cover it.
func (e *Engine) checkStanding(ctx context.Context, ring *memory.Keyring, r *memory.Record) error {
	if _, opaque := r.Body.(*memory.Opaque); opaque || ring.Voice(r).Principal != "" {
		return nil
	}
	items, err := e.store.Get(ctx, r.Header.Delegation)
	if err != nil {
		return err
	}
	if items[0] != nil && items[0].Record != nil {
		ring.Add(items[0].Record)
	}
	if ring.Voice(r).Principal == "" {
		return fmt.Errorf("%s: signed under a delegation that is not held or does not cover it", r.Ref().Short())
	}
	return nil
}

// storeLines appends lines that were verified before.
func (e *Engine) storeLines(ctx context.Context, r io.Reader, reply *ImportReply, progress func(int)) error {
	var batch []*memory.Record
	flush := func(n int) error {
		added, err := e.store.Append(ctx, store.Batch{Records: batch})
		if err != nil {
			return sorted(err)
		}
		reply.Added += added
		batch = batch[:0]
		if progress != nil {
			progress(n)
		}
		return nil
	}
	last := 0
	err := eachLine(ctx, r, func(n int, raw []byte) error {
		last = n
		rec, err := readLine(raw)
		if errors.Is(err, errPurged) {
			return nil
		}
		if err != nil {
			return err // the file changed since it was verified
		}
		if batch = append(batch, rec); len(batch) == importBatch {
			return flush(n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush(last)
}

// eachLine calls do with every line and its number, from 1. An error is given
// with the number, as one about bad input unless it is of another kind.
func eachLine(ctx context.Context, r io.Reader, do func(n int, raw []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for in.Scan() {
		n++
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(in.Bytes()) == 0 {
			return invalid("line %d: is empty", n)
		}
		if err := do(n, in.Bytes()); err != nil {
			if sortedErr := sorted(err); hasKind(sortedErr) && !errors.Is(sortedErr, ErrInvalid) {
				return sortedErr
			}
			return invalid("line %d: %s", n, oneLine(err))
		}
	}
	if err := in.Err(); err != nil {
		return invalid("line %d: %v", n+1, err)
	}
	return nil
}
