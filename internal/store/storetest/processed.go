package storetest

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testProcessed asks which raws are processed: those of which a memory was made that is current, or has a current
// revision.
func testProcessed(p *place) {
	ann := NewOwner("ann")
	a, b := ann.Raw(p, "a"), ann.Raw(p, "b")
	want := func(after string, processed int, unused ...*memory.Record) {
		p.Helper()
		if st := p.stats(); st.Processed != processed {
			p.Errorf("Processed after %s = %d, want %d", after, st.Processed, processed)
		}
		q := store.Query{Kinds: []memory.Kind{memory.KindRaw}, Unused: true, Oldest: true}
		p.want("Unused after "+after, p.list(q), unused...)
	}
	first, second, other := ann.Belief(p, "first", a), ann.Belief(p, "second", a), ann.Belief(p, "other", b)
	p.add(a, b)
	want("nothing", 0, a, b)
	p.add(first, second, other)
	want("three beliefs", 2)
	p.add(ann.Mark(p, memory.Forget, other))
	want("the only one was forgotten", 1, b)
	p.add(ann.Mark(p, memory.Recover, other))
	want("it came back", 2)
	p.add(ann.Mark(p, memory.Forget, first))
	want("one of two was forgotten", 2)
	newer := ann.Revise(p, "revised", second)
	newest := ann.Revise(p, "revised again", newer)
	p.add(newer, newest)
	want("the other was revised", 2)
	p.add(ann.Mark(p, memory.Reject, newest))
	want("its revision was rejected", 1, a)
	p.add(ann.Mark(p, memory.Quarantine, other))
	want("the last was quarantined", 0, a, b)
}
