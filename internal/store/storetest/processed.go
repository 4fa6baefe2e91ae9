package storetest

import (
	"fmt"

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

	c, d := ann.Raw(p, "c"), ann.Raw(p, "d")
	old := ann.Belief(p, "old", c)
	now := ann.Make(p, &memory.Belief{Statement: "now"}, func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{old.Ref()}
		h.Provenance.From = []memory.Ref{old.Ref(), d.Ref()}
	})
	p.add(c, d, old, now)
	want("one was replaced by what was made of another", 2, a, b)
	undone := func(text string, now, old *memory.Record) *memory.Record {
		return ann.Make(p, &memory.Belief{Statement: text}, func(h *memory.Header) {
			h.Provenance.Via, h.Provenance.Supersedes = memory.ViaRevision, []memory.Ref{now.Ref()}
			h.Provenance.From, h.Provenance.Context = []memory.Ref{now.Ref(), old.Ref()}, store.ContextUndo
		})
	}
	newer = ann.Revise(p, "newer", now)
	p.add(newer)
	want("it was revised", 2, a, b)
	first = undone("now", newer, now)
	p.add(first)
	want("the revision was undone", 2, a, b)
	p.add(undone("old", first, old))
	want("what replaced it was undone", 1, a, b, d)
}

// testDone asks for what nobody marked as done, for what somebody did, and for what some authors wrote, and counts it.
func testDone(p *place) {
	ann, bob := NewOwner("ann"), NewOwner("bob")
	a, b, c := ann.Raw(p, "a lighthouse"), ann.Raw(p, "b lighthouse"), bob.Raw(p, "c lighthouse")
	p.add(a, b, c)
	want := func(after string, q store.Query, want ...*memory.Record) {
		p.Helper()
		q.Kinds, q.Oldest = []memory.Kind{memory.KindRaw}, true
		for _, has := range [][][]string{nil, {{"lighthous"}}} { // by the log, and by the index
			q.Has = has
			p.wantSet(fmt.Sprintf("List(%+v) after %s", q, after), p.list(q), want...)
			if n, err := store.CountListed(p.Context(), p.Store, q); err != nil || n != len(want) {
				p.Errorf("CountListed(%+v) after %s = %d, %v, want %d", q, after, n, err, len(want))
			}
		}
	}
	open, done := store.Query{Open: true}, store.Query{Done: true}
	want("nothing", open, a, b, c)
	want("nothing", done)
	p.add(ann.Mark(p, memory.Done, a, b))
	want("two are done", open, c)
	want("two are done", done, a, b)
	p.add(bob.Mark(p, memory.Done, a), ann.Mark(p, memory.Done, c)) // neither may decide about the other's
	want("others say so", open, c)
	again := ann.Mark(p, memory.Protect, b)
	p.add(again)
	want("one is protected too", done, a, b)
	want("one is protected too", store.Query{Authors: []string{ann.Key}}, a, b)
	want("one is protected too", store.Query{Authors: []string{bob.Key, ann.Key}, Open: true}, c)
	want("one is protected too", store.Query{Authors: []string{bob.Key}, Done: true})
	want("one is protected too", store.Query{Authors: []string{"nobody"}})
	p.add(ann.Belief(p, "made of it", a))
	want("a memory was made", store.Query{Done: true, Unused: true}, b)
	p.add(ann.Mark(p, memory.Forget, b))
	want("one was forgotten", done, a)
	want("one was forgotten", store.Query{Done: true, Hidden: true}, a, b)
	d, e := ann.Raw(p, "d lighthouse"), ann.Raw(p, "e lighthouse")
	words, other := ann.Belief(p, "words"), bob.Belief(p, "words")
	p.add(d, e, words, other)
	untied := store.Query{Untied: "said_in", Authors: []string{ann.Key}, Open: true}
	want("nothing is tied", untied, d, e)
	p.add(ann.Mark(p, "said_in", words, d), bob.Mark(p, "said_in", other, e), ann.Mark(p, "other", words, e))
	want("one is tied", untied, e)
	p.add(ann.Mark(p, memory.Forget, words))
	want("what it is tied to was forgotten", untied, d, e)
}
