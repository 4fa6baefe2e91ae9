package storetest

import (
	"errors"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testAppend asks that a record be kept once, whole and in its order.
func testAppend(p *place) {
	ann := NewOwner("ann")
	a, b, c := ann.Raw(p, "first"), ann.Raw(p, "second"), ann.Raw(p, "third")
	p.add(a, b)
	for _, tt := range []struct {
		what    string
		records []*memory.Record
		want    int
	}{
		{"the same again", []*memory.Record{a, b}, 0},
		{"one new among old, twice", []*memory.Record{b, c, c, a}, 1},
		{"nothing", nil, 0},
	} {
		got, err := p.Append(p.Context(), store.Batch{Records: tt.records})
		if err != nil || got != tt.want {
			p.Errorf("Append of %s = %d, %v, want %d", tt.what, got, err, tt.want)
		}
	}
	for i, it := range p.get(a, b, c) {
		if want := store.Seq(i + 1); it.Seq != want {
			p.Errorf("Seq of record %d = %d, want %d", i, it.Seq, want)
		}
	}
	if got := p.stats().Records; got != 3 {
		p.Errorf("Stats.Records = %d, want 3", got)
	}
}

// testRefused asks that a batch which fails leaves nothing behind: no record,
// state, word, edge, alias or space.
func testRefused(p *place) {
	ann, bob := NewOwner("ann"), NewOwner("bob")
	raw := ann.Raw(p, "heard at the harbour", Known("r1"))
	old := ann.Belief(p, "ships leave at dawn", raw)
	p.add(raw, old, ann.Revise(p, "ships leave at noon", old))
	promoted := ann.Make(p, &memory.Episode{Objective: "listen"}, promoting(raw))
	p.add(promoted)

	later := ann.Raw(p, "zeppelin", Known("new"))
	extra := []*memory.Record{
		later, ann.Mark(p, memory.Forget, raw), ann.Belief(p, "zeppelins", raw, later), bob.Raw(p, "zeppelin"),
	}
	everything := append([]*memory.Record{raw, old, promoted}, extra...)
	before := dump(p, p.Store, everything)
	again := ann.Revise(p, "ships never leave", old)
	p.conflict("a revision of what was revised", store.Batch{Records: append(extra, again), Expect: []memory.ID{old.ID}})
	twice := ann.Make(p, &memory.Episode{Objective: "listen again"}, promoting(raw))
	p.conflict("a second promotion", store.Batch{
		Records: append(extra, twice),
		Absent:  []store.Derivation{{From: raw.ID, Kind: memory.KindEpisode, Via: memory.ViaPromote}},
	})
	p.conflict("what was said since", store.Batch{
		Records: append(extra, ann.Belief(p, "ships leave at one", raw)),
		Unsaid: []store.Saying{{
			Space: old.Header.Space, Kind: memory.KindBelief, After: 2,
			Is: func(r *memory.Record) bool { return r.Body.(*memory.Belief).Statement == "ships leave at noon" },
		}},
	})
	taken := ann.Raw(p, "the same import", Known("r0", "r1"))
	p.conflict("a taken alias", store.Batch{Records: append(extra, taken), NewAliases: true})
	p.same("a refused batch", dump(p, p.Store, everything), before)
	p.add(append(extra, again, twice, taken)...) // and nothing stops them when nothing is expected
}

func promoting(r *memory.Record) func(*memory.Header) {
	return func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.From = memory.ViaPromote, []memory.Ref{r.Ref()}
	}
}

// testExpect asks what counts as superseded and derived, and what does not.
func testExpect(p *place) {
	ann, eve := NewOwner("ann"), NewOwner("eve")
	bot, delegation := ann.NewAgent(p, "bot")
	raw, old := ann.Raw(p, "words"), ann.Belief(p, "the belief")
	p.add(raw, old, delegation)
	p.add(eve.Revise(p, "a stranger's", old), bot.Revise(p, "an agent's", old))
	ahead := ann.Make(p, &memory.Belief{Statement: "ahead"}, Replacing(old), Dated(p.clock().Add(time.Hour)))
	p.add(ahead)

	b := store.Batch{Records: []*memory.Record{ann.Revise(p, "the owner's", old)}, Expect: []memory.ID{old.ID}}
	if n, err := p.Append(p.Context(), b); n != 1 || err != nil {
		p.Errorf("a revision beside unauthorized ones and ones dated ahead = %d, %v, want 1", n, err)
	}
	if n, err := p.Append(p.Context(), b); n != 0 || err != nil {
		p.Errorf("the same revision sent again = %d, %v, want 0 and no conflict", n, err)
	}
	absent := []store.Derivation{{From: raw.ID, Kind: memory.KindEpisode, Via: memory.ViaPromote}}
	p.add(
		ann.Make(p, &memory.Episode{Objective: "inferred"}, From(raw)),
		ann.Make(p, &memory.Note{Type: "insight", Summary: "promoted"}, promoting(raw)),
	)
	b = store.Batch{
		Records: []*memory.Record{ann.Make(p, &memory.Episode{Objective: "promoted"}, promoting(raw))},
		Absent:  absent,
	}
	if n, err := p.Append(p.Context(), b); n != 1 || err != nil {
		p.Errorf("a promotion beside other derivations = %d, %v, want 1", n, err)
	}
	said := store.Saying{
		Space: old.Header.Space, Kind: memory.KindNote, After: 2,
		Is: func(r *memory.Record) bool { return r.Body.(*memory.Note).Summary == "said" },
	}
	notes := []*memory.Record{
		ann.Make(p, &memory.Note{Type: "insight", Summary: "said"}),
		ann.Make(p, &memory.Note{Type: "insight", Summary: "said"}),
	}
	p.add(ann.Make(p, &memory.Note{Type: "insight", Summary: "not said"}))
	for i, want := range []int{1, 0} {
		n, err := p.Append(p.Context(), store.Batch{Records: notes[i : i+1], Unsaid: []store.Saying{said}})
		if n != want || errors.Is(err, store.ErrConflict) != (want == 0) {
			p.Errorf("said for the %d. time = %d, %v, want %d", i+1, n, err, want)
		}
	}
	items, err := p.Get(p.Context(), notes[0].ID)
	if err != nil {
		p.Fatal(err)
	}
	said.After = items[0].Seq
	b = store.Batch{Records: notes[1:], Unsaid: []store.Saying{said}}
	if n, err := p.Append(p.Context(), b); n != 1 || err != nil {
		p.Errorf("said before somebody looked = %d, %v, want 1", n, err)
	}
	p.conflict("expectations alone", store.Batch{Expect: []memory.ID{old.ID}})
}

// testAliases asks for records by the ids they had elsewhere.
func testAliases(p *place) {
	ann := NewOwner("ann")
	work := ann.On("work")
	one := ann.Raw(p, "one", Known("a", "ä b", "it's"))
	other := work.Raw(p, "other", Known("a"))
	second := ann.Raw(p, "second", Known("a", "c"))
	p.add(one, other, second)
	for _, tt := range []struct {
		space string
		want  map[string]memory.ID
	}{
		{ann.Space, map[string]memory.ID{"a": one.ID, "ä b": one.ID, "it's": one.ID, "c": second.ID}},
		{work.Space, map[string]memory.ID{"a": other.ID}},
		{ann.On("none").Space, nil},
	} {
		got, err := p.Aliased(p.Context(), tt.space, "a", "ä b", "it's", "c", "A", "", "a")
		if err != nil || len(got) != len(tt.want) {
			p.Errorf("Aliased on %s gives %d of them, %v, want %d", tt.space, len(got), err, len(tt.want))
		}
		for alias, id := range tt.want {
			if got[alias] != id {
				p.Errorf("Aliased %q = %s, want %s", alias, got[alias].Short(), id.Short())
			}
		}
	}
	if got, err := p.Aliased(p.Context(), ann.Space); len(got) != 0 || err != nil {
		p.Errorf("Aliased of none = %v, %v", got, err)
	}
	x, y := ann.Raw(p, "x", Known("x")), ann.Raw(p, "y", Known("x"))
	p.conflict("two that want one alias", store.Batch{Records: []*memory.Record{x, y}, NewAliases: true})
	for _, b := range [][]*memory.Record{{x}, {x}, {one, work.Raw(p, "on another space", Known("x"))}} {
		if _, err := p.Append(p.Context(), store.Batch{Records: b, NewAliases: true}); err != nil {
			p.Errorf("Append of new aliases and of records held: %v", err)
		}
	}
}

// testGet asks for items in the order of the ids.
func testGet(p *place) {
	ann := NewOwner("ann")
	a, b, missing := ann.Raw(p, "a"), ann.Raw(p, "b"), ann.Raw(p, "never appended")
	p.add(a, b)
	items, err := p.Get(p.Context(), b.ID, missing.ID, a.ID, b.ID, memory.ID{})
	if err != nil || len(items) != 5 {
		p.Fatalf("Get of 5 ids gives %d items, %v", len(items), err)
	}
	for i, want := range []*memory.Record{b, nil, a, b, nil} {
		it := items[i]
		switch {
		case want == nil:
			if it != nil {
				p.Errorf("item %d = %s, want nil", i, it.Ref.Short())
			}
		case it == nil:
			p.Errorf("item %d is nil, want %s", i, want.Ref().Short())
		case it.Ref != want.Ref(), it.Record.ID != want.ID, string(it.Record.Bytes) != string(want.Bytes),
			it.Record.Headline() != want.Headline(), it.Record.Header.Space != want.Header.Space:
			p.Errorf("item %d = %s %s, want %s %s", i, it.Ref, it.Record.Bytes, want.Ref(), want.Bytes)
		case len(it.Record.Sigs) != 1 || it.Record.Sigs[0].Key != ann.Key ||
			!slices.Equal(it.Record.Sigs[0].Sig, want.Sigs[0].Sig):
			p.Errorf("signatures of item %d = %v, want %v", i, it.Record.Sigs, want.Sigs)
		}
	}
	if none, err := p.Get(p.Context()); len(none) != 0 || err != nil {
		p.Errorf("Get of no ids = %v, %v", none, err)
	}
}
