package storetest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testDecided asks for what a person approved: by kind, space, mark and order, as people decide otherwise, and as
// claims come due.
func testDecided(p *place) {
	ann := NewOwner("ann")
	bot, delegation := ann.NewAgent(p, "ann's bot")
	work, start := ann.On("work"), p.clock()
	p.want("List of a store without a record", p.list(store.Query{Decided: true}))
	p.add(delegation)
	p.decided("an empty store")
	decision := func(text string) *memory.Record {
		return bot.Make(p, &memory.Note{Type: "decision", Summary: "harbour " + text})
	}
	all := []*memory.Record{
		decision("zulu"), decision("taken back"), decision("rejected later"), decision("approved by an agent"),
		decision("forgotten"), decision("replaced"), decision("purged"), decision("comes due"), decision("ends"),
		bot.Belief(p, "harbour belief"), bot.Raw(p, "harbour raw"), bot.On("work").Belief(p, "harbour at work"),
	}
	kept, back, rejected, byAgent, forgotten := all[0], all[1], all[2], all[3], all[4]
	replaced, purged, due, ends, belief, raw, there := all[5], all[6], all[7], all[8], all[9], all[10], all[11]
	p.add(all...)
	for n := range 80 { // nobody decided about these, and they match better
		p.add(bot.Belief(p, fmt.Sprint("harbour harbour crowd ", n)))
	}
	if got := p.list(store.Query{Decided: true, Hidden: true}); len(got) != 0 {
		p.Errorf("nobody decided, and %s are listed", short(got))
	}
	approve := func(of ...*memory.Record) *memory.Record { return ann.Mark(p, memory.Approve, of...) }
	p.add(bot.Mark(p, memory.Approve, byAgent))
	p.add(approve(kept, back, rejected, forgotten, replaced, purged, belief, raw), approve(ends))
	p.add(work.Mark(p, memory.Approve, there))
	p.decided("approvals", kept, back, rejected, forgotten, replaced, purged, ends, belief, raw, there)

	verdict := func(verb string, of *memory.Record, after int) *memory.Record {
		return ann.Make(p, markOf(verb, of), Dated(start.Add(minutes(5)+minutes(after))))
	}
	p.add(ann.Mark(p, memory.Reject, rejected), ann.Mark(p, memory.Forget, forgotten))
	p.add(ann.Make(p, &memory.Note{Type: "decision", Summary: "harbour revision"}, Replacing(replaced)))
	p.add(ann.Mark(p, memory.Reject, back))
	p.add(verdict(memory.Approve, due, 60), verdict(memory.Reject, ends, 120))
	p.decided("decisions against some", kept, purged, ends, belief, raw, there)
	mark := ann.Mark(p, memory.Purge, purged)
	if _, err := p.Append(p.Context(), store.Batch{Records: []*memory.Record{mark}, Purge: idsOf(all[6:7])}); err != nil {
		p.Fatalf("Append of a purge: %v", err)
	}
	p.decided("a purge", kept, ends, belief, raw, there)
	p.set(start.Add(minutes(60)))
	p.decided("an approval has come due", kept, due, ends, belief, raw, there)
	p.set(start.Add(minutes(120)))
	p.decided("a rejection has come due", kept, due, belief, raw, there)
	p.add(approve(back))
	p.decided("an approval again", kept, back, due, belief, raw, there)

	here, types := []string{ann.Space}, index.TypeMark("decision")
	notes := []memory.Kind{memory.KindNote}
	for _, tt := range []struct {
		q    store.Query
		want []*memory.Record
	}{
		{store.Query{Spaces: here}, []*memory.Record{raw, belief, due, back, kept}},
		{store.Query{Spaces: here, Oldest: true}, []*memory.Record{kept, back, due, belief, raw}},
		{store.Query{Spaces: here, Oldest: true, Limit: 2}, []*memory.Record{kept, back}},
		{store.Query{Spaces: here, Limit: 2, Few: 9}, []*memory.Record{raw, belief}},
		{store.Query{Spaces: here, Kinds: notes}, []*memory.Record{due, back, kept}},
		{store.Query{Kinds: []memory.Kind{memory.KindBelief, memory.KindRaw}, Spaces: here}, []*memory.Record{raw, belief}},
		{store.Query{Mark: types, Kinds: notes, Limit: 2}, []*memory.Record{due, back}},
		{store.Query{Mark: types, Has: [][]string{{"zulu", "belief"}}}, []*memory.Record{kept}},
		{store.Query{Spaces: []string{work.Space}}, []*memory.Record{there}},
		{store.Query{Spaces: []string{"nowhere"}}, nil},
		{store.Query{Kinds: []memory.Kind{memory.KindMark}}, nil},
		{store.Query{Unused: true, Spaces: here, Kinds: notes}, []*memory.Record{due, back, kept}},
		{store.Query{Author: ann.Key}, nil},
	} {
		tt.q.Decided = true
		p.want(fmt.Sprintf("List(%+v)", tt.q), p.list(tt.q), tt.want...)
	}
}

// decided asks that a list and a search give what of them a person approved, whatever else there is.
func (p *place) decided(after string, want ...*memory.Record) {
	p.Helper()
	p.wantSet("List of what was decided, after "+after, p.list(store.Query{Decided: true}), want...)
	for _, hidden := range []bool{false, true} {
		var approved []memory.ID
		for it, err := range p.List(p.Context(), store.Query{Hidden: hidden}) {
			if err != nil {
				p.Fatalf("List: %v", err)
			}
			if it.State.Review == state.ReviewApproved {
				approved = append(approved, it.Ref.ID)
			}
		}
		got := p.list(store.Query{Decided: true, Hidden: hidden})
		if !slices.Equal(got, approved) {
			p.Errorf("List of what was decided, after %s, hidden ones too: %v, gives %s, want %s", after, hidden,
				short(got), short(approved))
		}
		for _, m := range []store.Match{
			{Terms: []string{"harbour"}}, {Terms: []string{"harbour", "raw"}, Passed: true},
			{Terms: []string{"harbour", "revis"}, Kinds: []memory.Kind{memory.KindNote}},
			{Terms: []string{"harbour"}, Has: [][]string{{index.TypeMark("decision")}}},
			{Terms: []string{"harbour", "due"}, Spaces: []string{"work", NewOwner("ann").Space}},
			{Terms: []string{"zeppelin"}},
		} {
			m.Hidden = hidden
			p.matchDecided(m, approved)
		}
	}
}

// matchDecided asks that a search of what was decided gives what a search of all gives, less the rest.
func (p *place) matchDecided(m store.Match, approved []memory.ID) {
	p.Helper()
	all, err := p.Match(p.Context(), m)
	if err != nil {
		p.Fatalf("Match(%+v): %v", m, err)
	}
	want := slices.DeleteFunc(all, func(h store.Hit) bool { return !slices.Contains(approved, h.ID) })
	m.Decided = true
	for _, limit := range []int{0, 1, 3} {
		m.Limit = limit
		got, err := p.Match(p.Context(), m)
		few := want
		if limit > 0 {
			few = want[:min(limit, len(want))]
		}
		if shown := slices.DeleteFunc(got, func(h store.Hit) bool { return h.Hidden }); err != nil ||
			len(shown) != len(few) || len(few) > 0 && !reflect.DeepEqual(shown, few) {
			p.Errorf("Match(%+v) gives %v, %v, want %v", m, shown, err, few)
		}
	}
}
