package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"runtime"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// wholePage is how many records are read at a time, by each of those who read.
const wholePage = 4096

// wholeBytes are the bytes of some records, and whether a record was purged.
const wholeBytes = `SELECT r.id, p.bytes, coalesce(s.flags & 32, 0) <> 0 FROM records r
	LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key
	WHERE r.key > ? AND r.key <= ? ORDER BY r.key`

// Whole reads what nothing else has: the log of every space, the bytes of every record, and the
// tree that was kept of each log. It returns an error for the first that is not what its id or
// the tree says. Check also looks at all that is derived of them.
func (s *Store) Whole(ctx context.Context, progress func(done int)) error {
	w := &whole{s: s, progress: progress}
	ctx, w.stop = context.WithCancel(ctx)
	defer w.stop()
	spaces, err := s.readSpaces(ctx)
	if err != nil {
		return err
	}
	for _, sp := range spaces {
		no, err := s.names.number(ctx, s.read, spaceList, sp.Name)
		if err != nil {
			return s.failed("read", err)
		}
		w.space(ctx, no, int64(sp.Last))
		if w.err != nil {
			return s.failed("read", w.err)
		}
		if err := s.treeHolds(ctx, sp, no); err != nil {
			return s.failed("read", err)
		}
	}
	return ctx.Err()
}

// whole is one run of Whole.
type whole struct {
	s        *Store
	progress func(done int)
	stop     func()

	mu   sync.Mutex
	at   int64 // the place after which the next page begins
	done int
	err  error
}

// space reads one log with all processors, each a page at a time.
func (w *whole) space(ctx context.Context, no int, last int64) {
	w.at = 0
	next := func() (int64, bool) {
		w.mu.Lock()
		defer w.mu.Unlock()
		from := w.at
		w.at += wholePage
		return from, from < last && w.err == nil
	}
	var readers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), readConns) {
		readers.Go(func() {
			for from, more := next(); more; from, more = next() {
				w.page(ctx, no, from, min(from+wholePage, last))
			}
		})
	}
	readers.Wait()
}

// page reads the records after one place and up to another.
func (w *whole) page(ctx context.Context, no int, after, upTo int64) {
	n := int64(0)
	err := w.s.read.each(ctx, func(rows *sql.Rows) error {
		var id memory.ID
		var raw sql.RawBytes
		var gone bool
		if err := rows.Scan(asID(&id), &raw, &gone); err != nil {
			return err
		}
		n++
		switch {
		case raw == nil && !gone:
			return fmt.Errorf("%w: %s: its bytes are missing although nobody purged it", store.ErrDamaged, id.Short())
		case raw != nil && sha256.Sum256(raw) != id:
			return fmt.Errorf("%w: %s: its bytes have another id", store.ErrDamaged, id.Short())
		}
		return nil
	}, wholeBytes, firstKey(no)+after, firstKey(no)+upTo)
	if err == nil && n != upTo-after {
		err = fmt.Errorf("%w: the log has %d records from place %d to %d", store.ErrDamaged, n, after+1, upTo)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done += int(n); w.progress != nil {
		w.progress(w.done)
	}
	if err != nil && w.err == nil {
		w.err = err
		w.stop()
	}
}

// treeHolds compares the tree that was kept of a log with the ids in it.
func (s *Store) treeHolds(ctx context.Context, sp store.Space, no int) error {
	kept, err := s.Tree(Itself(ctx), sp.Name)
	if err != nil {
		return err
	}
	made, err := frontier(ctx, s.read, no, int64(sp.Last), nil)
	if err == nil && kept != made {
		err = derived{fmt.Errorf("%w: the tree of the log of %s is not that of its ids", store.ErrDamaged, sp.Name)}
	}
	return err
}
