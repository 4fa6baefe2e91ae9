package door

import (
	"context"
	"maps"
	"sync"

	"github.com/stemma-memory/stemma/internal/proof"
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

// know remembers the claims about a record, which are all that the book knows of.
func (t *told) know(ref memory.Ref, c *claims) {
	if len(c.records) < fewTold {
		return
	}
	for _, r := range c.records {
		if _, is := r.Body.(*memory.Mark); !is {
			return
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n+len(c.records) > mostTold || t.of == nil {
		t.of, t.n = make(map[memory.Ref]*claims), 0
	}
	if was := t.of[ref]; was != nil {
		t.n -= len(was.records)
	}
	t.of[ref] = c
	t.n += len(c.records)
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
func (t *told) add(rs []*memory.Record, hash func(memory.ID) proof.Sum) {
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
				t.n -= len(c.records)
				delete(t.of, ref)
				continue
			}
			t.of[ref] = &claims{append(c.records[:len(c.records):len(c.records)], r), c.sum.Plus(hash(r.ID)), true}
			t.n++
		}
	}
}
