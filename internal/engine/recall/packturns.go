package recall

import (
	"cmp"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// saidAbove is said of a person's turn that stands in the section of a memory, right above it: the person said
// otherwise there, and no one decided about it.
const saidAbove = "said, not reviewed"

// weakly is said of what only shares words with the question.
const weakly = "weak"

// turnsAdded are turns that a pack has only because of the memories that it speaks against.
type turnsAdded struct {
	items  []*store.Item
	states []*views.CodeState
}

// withTurns notes the turns in which a person said otherwise than the candidates of a pack, and returns those that
// are no candidates.
func (e *Finder) withTurns(
	rd *trust.Reading, said *packSettled, all []*store.Item, trusted map[memory.ID]*trust.Rating, uncommitted bool,
) (turnsAdded, error) {
	var out turnsAdded
	said.above = make(map[memory.ID][]memory.ID)
	for _, it := range all {
		d := said.said[it.Ref.ID]
		if d == nil || d.Newer == nil || d.Newer.Ref.Kind != memory.KindRaw || said.dropped(it.Ref.ID) != "" {
			continue
		}
		turn := d.Newer.Ref.ID
		if said.above[turn] == nil && !said.given[turn] {
			out.items = append(out.items, d.Newer)
		}
		said.above[turn] = append(said.above[turn], it.Ref.ID)
	}
	if len(out.items) == 0 {
		return out, nil
	}
	more, err := e.trust.Rate(rd, out.items, false)
	if err != nil {
		return out, err
	}
	maps.Copy(trusted, more)
	own, err := e.settleIn(rd, out.items, more, nil)
	if err != nil {
		return out, err
	}
	for _, it := range out.items {
		said.given[it.Ref.ID], said.said[it.Ref.ID] = true, own.said[it.Ref.ID]
	}
	out.states, err = e.views.CodeStates(rd, out.items, uncommitted)
	return out, err
}

// isAbove reports whether a person said otherwise in a turn than a memory of the pack.
func (p *packSettled) isAbove(turn memory.ID) bool { return len(p.above[turn]) > 0 }

// aboveOlder puts each such turn into the section of the memory, right above it: of several above that which stands
// first. A turn is no more of an answer than the memory: weak says which are none. It returns the turns of which no
// memory is given.
func (p *packSettled) aboveOlder(
	layout pack.Layout, entries map[memory.ID]*pack.Entry, weak func(memory.ID) bool,
) (alone []memory.ID) {
	place := func(en *pack.Entry) int {
		return slices.IndexFunc(layout.Sections, func(s pack.Section) bool { return s.Name == en.Section })
	}
	for _, turn := range slices.SortedFunc(maps.Keys(p.above), memory.ID.Compare) {
		var first *pack.Entry
		answers := false
		for _, id := range p.above[turn] {
			en := entries[id]
			answers = answers || en != nil && !weak(id)
			if en != nil && (first == nil || cmp.Or(cmp.Compare(place(en), place(first)),
				cmp.Compare(first.Priority, en.Priority), cmp.Compare(first.Score, en.Score)) < 0) {
				first = en
			}
		}
		switch en := entries[turn]; {
		case en == nil:
		case first == nil:
			alone = append(alone, turn)
		default:
			en.Section, en.Priority, en.Score = first.Section, first.Priority, first.Score+belowBy
			if en.Why = views.JoinWhy(saidAbove, en.Why); !answers {
				en.Why = views.JoinWhy(en.Why, weakly)
			}
		}
	}
	return alone
}
