package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"runtime"
	"sync"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// wholePage is how many records are read at a time, by each of those who read: the whole tree of so many
// ids is a part of the log's.
const wholePage = 4096

// What is read of some records: each table from one place to another, which is half the work of a join.
const (
	wholeIDs   = "SELECT key, id FROM records WHERE key > ? AND key <= ? ORDER BY key"
	wholeBytes = "SELECT key, bytes FROM payloads WHERE key > ? AND key <= ? ORDER BY key"
	wholeGone  = "SELECT key FROM state WHERE key > ? AND key <= ? AND flags & 32 <> 0"
)

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
		no, err := s.names.Number(ctx, s.read, lists.Spaces, sp.Name)
		if err != nil {
			return s.Failed("read", err)
		}
		w.space(ctx, no, int64(sp.Last))
		if w.err != nil {
			return s.Failed("read", w.err)
		}
		if err := w.treeHolds(ctx, sp); err != nil {
			return s.Failed("read", err)
		}
	}
	return ctx.Err()
}

// whole is one run of Whole.
type whole struct {
	s        *Store
	progress func(done int)
	stop     func()

	mu    sync.Mutex
	trees []ledger.Frontier // of the pages of the log
	at    int64             // the place after which the next page begins
	done  int
	err   error
}

// space reads one log with all processors, each a page at a time.
func (w *whole) space(ctx context.Context, no int, last int64) {
	w.at, w.trees = 0, make([]ledger.Frontier, (last+wholePage-1)/wholePage)
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
	first, last := session.FirstKey(no)+after, session.FirstKey(no)+upTo
	ids := make(map[int64]memory.ID, upTo-after)
	tree := &w.trees[after/wholePage]
	err := w.s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var id memory.ID
		err := rows.Scan(&key, session.AsID(&id))
		ids[key] = id
		tree.Append(ledger.Hash(id))
		return err
	}, wholeIDs, first, last)
	n := int64(len(ids))
	if err == nil {
		err = w.bytes(ctx, ids, first, last)
	}
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

// bytes compares the bytes of some records with their ids, which it takes away.
func (w *whole) bytes(ctx context.Context, ids map[int64]memory.ID, first, last int64) error {
	err := w.s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var raw sql.RawBytes
		if err := rows.Scan(&key, &raw); err != nil {
			return err
		}
		id, held := ids[key]
		if held && sha256.Sum256(raw) != id {
			return fmt.Errorf("%w: %s: its bytes have another id", store.ErrDamaged, id.Short())
		}
		delete(ids, key)
		return nil
	}, wholeBytes, first, last)
	if err != nil || len(ids) == 0 {
		return err
	}
	gone, err := w.s.keys(ctx, wholeGone, first, last)
	if err != nil {
		return err
	}
	for _, key := range gone {
		delete(ids, key)
	}
	for _, id := range ids {
		return fmt.Errorf("%w: %s: its bytes are missing although nobody purged it", store.ErrDamaged, id.Short())
	}
	return nil
}

// treeHolds compares the tree that was kept of a log with the ids in it.
func (w *whole) treeHolds(ctx context.Context, sp store.Space) error {
	kept, err := w.s.Tree(store.Itself(ctx), sp.Name)
	if err != nil {
		return err
	}
	var made ledger.Frontier
	for _, t := range w.trees {
		made.Join(t)
	}
	if kept != made {
		err = session.Derived(fmt.Errorf("%w: the tree of the log of %s is not that of its ids", store.ErrDamaged, sp.Name))
	}
	return err
}
