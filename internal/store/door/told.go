package door

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// told are the claims about records of which so much is said that reading it again after every write is what takes the
// time. The book's sum says whether they still are all of them. Only marks are among them: those cannot be purged.
type told struct {
	mu sync.Mutex
	of map[memory.Ref]*claims
	n  int // marks, in all
}

const (
	fewTold  = 8      // claims that are read again
	mostTold = 20_000 // in all
)

// know remembers the claims about a record, which are all that the book knows of: of those from which no state follows,
// that they are there.
func (t *told) know(ref memory.Ref, all *claims, now time.Time) {
	if len(all.records) < fewTold {
		return
	}
	c := &claims{sum: all.sum, whole: true}
	for _, r := range all.records {
		if _, is := r.Body.(*memory.Mark); !is {
			return
		}
		if !store.Mute(r, now) {
			c.records = append(c.records, r)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n+len(c.records) > mostTold || t.of == nil {
		t.of, t.n = make(map[memory.Ref]*claims), 0
	}
	if was := t.of[ref]; was != nil {
		t.n -= 1 + len(was.records)
	}
	t.of[ref] = c
	t.n += 1 + len(c.records)
}

// known returns the claims about a record if they are those of a sum.
func (t *told) known(ref memory.Ref, sum proof.Sum) *claims {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.of[ref]; c != nil && c.sum == sum {
		one := *c
		one.records = one.records[:len(one.records):len(one.records)]
		return &one
	}
	return nil
}

// OnlyMarks reports whether all that was ever said of a record is known, and is marks alone.
func (d *Store) OnlyMarks(ctx context.Context, id memory.ID) bool {
	if d.book == nil {
		return false
	}
	v, err := d.current(ctx)
	if err != nil || v.untrusted != "" {
		return false
	}
	v.mu.Lock()
	kind, known := v.kinds[id]
	v.mu.Unlock()
	if !known {
		return false
	}
	ref := memory.Ref{Kind: kind, ID: id}
	sum, err := d.book.Said(ref)
	return err == nil && d.told.known(ref, sum) != nil
}

// add takes in what this process adds to the store.
func (t *told) add(rs []*memory.Record, hash func(memory.ID) proof.Sum, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.of) == 0 {
		return
	}
	for _, r := range rs {
		of := make(map[memory.Ref]bool)
		for _, ref := range said(r) {
			of[ref] = t.of[ref] != nil
		}
		maps.DeleteFunc(of, func(_ memory.Ref, is bool) bool { return !is })
		for ref := range of {
			c := t.of[ref]
			if _, is := r.Body.(*memory.Mark); !is {
				t.n -= 1 + len(c.records)
				delete(t.of, ref)
				continue
			}
			more := &claims{c.records, c.sum.Plus(hash(r.ID)), true}
			if !store.Mute(r, now) {
				more.records = append(c.records[:len(c.records):len(c.records)], r)
				t.n++
			}
			t.of[ref] = more
		}
	}
}
