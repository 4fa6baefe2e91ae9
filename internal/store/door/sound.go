package door

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// said returns the records that a record is about or replaces.
func said(r *memory.Record) []memory.Ref {
	out := append(slices.Clone(r.Header.Provenance.Supersedes), memory.Subjects(r.Body)...)
	return slices.DeleteFunc(out, func(ref memory.Ref) bool { return ref.ID == r.ID })
}

// entry is what the book remembers of a record.
func entry(r *memory.Record) proof.Entry {
	e := proof.Entry{ID: r.ID, Keys: r.Header.Kind == memory.KindKey}
	for _, c := range said(r) {
		if !slices.Contains(e.Of, c) {
			e.Of = append(e.Of, c)
		}
	}
	return e
}

// verify looks at records by themselves: what they say they are, and who signed them.
func verify(items []*store.Item, signed func([]*memory.Record) []bool) {
	rs := make([]*memory.Record, 0, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			it.Ref.Kind = it.Record.Header.Kind
			rs = append(rs, it.Record)
		}
	}
	holds := signed(rs)
	for _, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		if !holds[0] {
			it.Doubt, it.State = store.Forged, state.Initial(it.Record)
			it.State.Quarantined, it.State.Reason = true, "its signature does not hold"
		}
		holds = holds[1:]
	}
}

// learn remembers for this process whether the signature of a record holds.
func (d *Store) learn(id memory.ID, holds bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.sound) > mostKept {
		clear(d.sound)
	}
	d.sound[id] = holds
}

// unlearn forgets what learn recorded about some records: they are verified when they are
// read.
func (d *Store) unlearn(rs []*memory.Record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range rs {
		delete(d.sound, r.ID)
	}
}

// learned returns what learn recorded.
func (d *Store) learned(id memory.ID) (holds, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if holds, known = d.sound[id]; !known && d.of != nil {
		return d.of.verified(id)
	}
	return holds, known
}

// verified returns what is known of the signature of a record, here or in the book.
func (d *Store) verified(id memory.ID) (holds, known bool) {
	holds, known = d.learned(id)
	if !known && d.book != nil {
		holds, _ = d.book.Sound(id) // a book that cannot be read knows nothing
		known = holds
	}
	return holds, known
}

// signed reports of each record whether its signatures hold. What was verified once
// is remembered.
func (d *Store) signed(rs []*memory.Record) []bool {
	out := make([]bool, len(rs))
	var todo []int
	for i, r := range rs {
		holds, known := d.verified(r.ID)
		if out[i] = holds; !known {
			todo = append(todo, i)
		}
	}
	if len(todo) == 0 {
		return out
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		workers.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(todo); n = int(next.Add(1)) - 1 {
				out[todo[n]] = envelope.Verify(rs[todo[n]]) == nil
			}
		})
	}
	workers.Wait()
	var fresh []proof.Entry
	for _, i := range todo {
		if d.learn(rs[i].ID, out[i]); out[i] {
			fresh = append(fresh, entry(rs[i]))
		}
	}
	if d.book != nil {
		_ = d.book.Add(fresh) // or they are verified the next time
	}
	return out
}

// soundOf returns the records of items whose signatures hold.
func (d *Store) soundOf(items []*store.Item) []*memory.Record {
	var rs []*memory.Record
	for _, it := range items {
		if it != nil && it.Record != nil {
			rs = append(rs, it.Record)
		}
	}
	holds := d.signed(rs)
	out := rs[:0]
	for i, r := range rs {
		if holds[i] {
			out = append(out, r)
		}
	}
	return out
}
