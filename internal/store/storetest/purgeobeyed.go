package storetest

import (
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testPurgeObeyed asks that a batch which obeys takes the bytes of what its marks
// purge, in whichever order they come, and of nothing else.
func testPurgeObeyed(p *place) {
	ann, bob := NewOwner("ann"), NewOwner("bob")
	first, late, kept := ann.Raw(p, "aerodrome"), ann.Raw(p, "biplane"), ann.Raw(p, "crankshaft")
	p.add(first, kept)
	for _, batch := range [][]*memory.Record{
		{ann.Mark(p, memory.Purge, first), ann.Mark(p, memory.Forget, kept), bob.Mark(p, memory.Purge, kept)},
		{ann.Mark(p, memory.Purge, late)},
		{late},
	} {
		if n, err := p.Append(p.Context(), store.Batch{Records: batch, Obey: true}); n != len(batch) || err != nil {
			p.Errorf("Append of %d that obeys = %d, %v", len(batch), n, err)
		}
	}
	p.want("Match of all", p.found(store.Match{Terms: query("aerodrome biplane crankshaft").Terms, Hidden: true}), kept)
	if st := p.stats(); st.Purged != 2 {
		p.Errorf("Stats.Purged = %d, want 2", st.Purged)
	}

	// what shows that the signer of a mark may purge comes after the mark
	next := NewOwner("ann next")
	next.Space = ann.Space
	for _, batch := range [][]*memory.Record{
		{next.Mark(p, memory.Purge, kept)}, {ann.Rotate(p, ann, next)},
	} {
		if _, err := p.Append(p.Context(), store.Batch{Records: batch, Obey: true}); err != nil {
			p.Error(err)
		}
	}
	p.want("Match of all", p.found(store.Match{Terms: query("aerodrome biplane crankshaft").Terms, Hidden: true}))
	if st := p.stats(); st.Purged != 3 {
		p.Errorf("Stats.Purged = %d, want 3", st.Purged)
	}

	// a mark by a clock that is fast purges when its time has come, and the next batch takes the bytes
	fast := bob.Raw(p, "dirigible")
	p.add(fast)
	mark := bob.Make(p, markOf(memory.Purge, fast), Dated(p.clock().Add(hour)))
	for i, r := range []*memory.Record{mark, bob.Raw(p, "engine"), bob.Raw(p, "flap")} {
		if i == 2 {
			p.set(p.clock().Add(2 * hour))
		}
		if _, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{r}, Obey: true}); err != nil {
			p.Error(err)
		}
		if items := p.get(fast); (items[0].Record == nil) != (i == 2) {
			p.Errorf("after batch %d the bytes are gone: %v", i, items[0].Record == nil)
		}
	}
}
