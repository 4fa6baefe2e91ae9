package recall

import (
	"cmp"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// heights are the sections of packs, the lowest first: words yield their line only to a memory
// in a section at least as high.
var heights = map[string]int{
	trust.InUnverified: 0, trust.InPerhaps: 0, trust.InObserved: 1,
	trust.InNeeds: 2, trust.InVerified: 2, trust.InConstraints: 2,
	trust.InValues: 2, trust.InGoals: 2, trust.InDrives: 2,
	"decisions": 1, "known": 1, "relationships": 1, "episodes": 1, "open": 1,
}

// packSettled is what decisions make of the candidates of a pack.
type packSettled struct {
	said  map[memory.ID]*standing.Settled
	given map[memory.ID]bool

	answers map[memory.ID]bool // it took the place of what answers the question

	above map[memory.ID][]memory.ID // memories than which a person said otherwise later, by the turn

	outside map[memory.ID]bool // a person assigned them to another project

	twins map[memory.ID][]string // open links of memories that yield their line, by the memory that has it
}

// settleIn says what decisions make of the candidates of a pack, best first. What a
// search found it has settled.
func (e *Finder) settleIn(
	rd *trust.Reading, items []*store.Item, trusted map[memory.ID]*trust.Rating, searched []*standing.Found,
) (*packSettled, error) {
	out := &packSettled{given: make(map[memory.ID]bool, len(items)), answers: make(map[memory.ID]bool)}
	for _, it := range items {
		out.given[it.Ref.ID] = true
		if v := trusted[it.Ref.ID]; v != nil && v.Outside {
			if out.outside == nil {
				out.outside = make(map[memory.ID]bool)
			}
			out.outside[it.Ref.ID] = true
		}
	}
	before := make(map[memory.ID]*standing.Settled, len(searched))
	for _, f := range searched {
		before[f.Ref.ID], out.answers[f.Ref.ID] = f.Settled, f.Answers
	}
	items = slices.DeleteFunc(slices.Clone(items), func(it *store.Item) bool {
		_, was := before[it.Ref.ID]
		return was
	})
	defer func() {
		if out.said == nil {
			out.said = make(map[memory.ID]*standing.Settled)
		}
		for id, d := range before {
			if d != nil {
				out.said[id] = d
			}
		}
	}()
	var err error
	out.said, err = e.standing.Settle(rd, items, memory.Time{}, func(
		rd *trust.Reading, some []*store.Item,
	) (map[memory.ID]int, error) {
		var unknown []*store.Item
		for _, it := range some {
			if trusted[it.Ref.ID] == nil {
				unknown = append(unknown, it)
			}
		}
		more, err := e.trust.Rate(rd, unknown, false)
		high := make(map[memory.ID]int, len(some))
		for _, it := range some {
			v := trusted[it.Ref.ID]
			if v == nil {
				v = more[it.Ref.ID]
			}
			if v != nil {
				high[it.Ref.ID] = heights[v.Section(it)]
			}
		}
		return high, err
	})
	return out, err
}

// dropped returns why a pack leaves out a candidate, "" if it does not.
func (p *packSettled) dropped(id memory.ID) string {
	d := p.said[id]
	switch {
	case p.outside[id]:
		return "of another project"
	case d == nil:
		return ""
	case d.Hidden != "":
		return d.Hidden
	case d.Below != nil:
		return "replaced"
	case d.Into != nil && p.given[d.Into.Ref.ID] && d.Into.Ref.ID != id:
		return duplicateText
	}
	return ""
}

// openOf returns the open links of the memories with the same words that yield their line.
func (p *packSettled) openOf(id memory.ID) []string {
	if p.twins == nil {
		p.twins = make(map[memory.ID][]string)
		for of, d := range p.said {
			if d != nil && len(d.Open) > 0 && d.Into != nil && d.Into.Ref.ID != of {
				p.twins[d.Into.Ref.ID] = append(p.twins[d.Into.Ref.ID], d.Open...)
			}
		}
	}
	return slices.Sorted(slices.Values(p.twins[id]))
}

// mark gives an entry its marks, and those of the memories of the same words that yield their line. It returns
// those that are about the words.
func (p *packSettled) mark(s *views.CodeState, v *trust.Rating, en *pack.Entry) (tied []string) {
	state := s.CodeState
	if len(s.Refs) == 0 {
		state = ""
	}
	d := standing.Settled{}
	if of := p.said[s.Ref.ID]; of != nil {
		d = *of
	}
	for _, m := range p.openOf(s.Ref.ID) {
		if !slices.Contains(d.Open, m) {
			d.Open = append(slices.Clip(d.Open), m)
		}
	}
	en.Marks = views.Marks(s.Item, v, &d, state)
	return slices.Concat(d.Marks, d.Open)
}

// belowOlder puts each proposal below the memories that it would update, whose entries are given
// by their ids: its author may not decide about them.
func (p *packSettled) belowOlder(layout pack.Layout, entries map[memory.ID]*pack.Entry) {
	place := func(en *pack.Entry) int {
		return slices.IndexFunc(layout.Sections, func(s pack.Section) bool { return s.Name == en.Section })
	}
	ids := slices.SortedFunc(maps.Keys(entries), memory.ID.Compare)
	for range mostProposals {
		moved := false
		for _, id := range ids {
			d, en := p.said[id], entries[id]
			if d == nil || en == nil {
				continue
			}
			for _, it := range slices.Concat(d.Decided, d.Proposed) {
				older := entries[it.Ref.ID]
				if o := p.said[it.Ref.ID]; o != nil && o.Into != nil && entries[o.Into.Ref.ID] != nil {
					older = entries[o.Into.Ref.ID]
				}
				if older == nil || older == en || cmp.Or(
					cmp.Compare(place(older), place(en)), cmp.Compare(en.Priority, older.Priority),
					cmp.Compare(en.Score, older.Score),
				) < 0 {
					continue
				}
				moved = true
				if to := openSection(layout, place(older)); to != older.Section { // there it is below already
					en.Section = to
					continue
				}
				en.Section, en.Priority, en.Score = older.Section, older.Priority, older.Score-belowBy
			}
		}
		if !moved {
			return
		}
	}
}

// openSection returns the first section from a place on that holds also what nobody approved.
func openSection(layout pack.Layout, from int) string {
	for _, s := range layout.Sections[from:] {
		switch s.Name {
		case trust.InNeeds, trust.InConstraints, trust.InValues, trust.InGoals, trust.InDrives, trust.InVerified, "conflicts":
		default:
			return s.Name
		}
	}
	return layout.Sections[len(layout.Sections)-1].Name
}

// besideOlder ranks what may replace a memory with it at least, so that it is not left out where that is given.
func (p *packSettled) besideOlder(entries map[memory.ID]*pack.Entry) {
	ids := slices.SortedFunc(maps.Keys(entries), memory.ID.Compare)
	for range mostProposals {
		moved := false
		for _, id := range ids {
			d, older := p.said[id], entries[id]
			if d == nil {
				continue
			}
			for _, it := range append(slices.Clip(d.Decided), d.Newer) {
				if it == nil {
					continue
				}
				newer := entries[it.Ref.ID]
				if newer == nil || newer.Section != older.Section && !(newer.Section == "known" && older.Section == "decisions") {
					continue
				}
				if newer.Section != older.Section || newer.Priority < older.Priority {
					newer.Section, newer.Priority, moved = older.Section, older.Priority, true
				}
			}
		}
		if !moved {
			return
		}
	}
}

// Bounds on how far proposals about proposals are followed, and how far below an older memory
// its proposed update is scored: less than what parts two candidates.
const (
	mostProposals = 10
	belowBy       = 1.0 / (1 << 30)
)

// duplicateText is why an entry is left out when another has the same words.
const duplicateText = "said by another entry"

// A voiced is an entry of a pack with whose words it has.
type voiced struct {
	entry     *pack.Entry
	item      *store.Item
	principal string
	words     string
	tied      []string // marks that are about the words
	hit       bool     // it answers, or needs no question to be given
}

// spokenBy returns the words that identify an entry: all that it says.
func spokenBy(r *memory.Record) string {
	if raw, ok := r.Body.(*memory.Raw); ok {
		return raw.Text + raw.Base64 + raw.Caption
	}
	return standing.Whole(r)
}

// onceSaid returns the entries without those that say what another of the same person says:
// of these the one in the highest section stays, or else the best.
func onceSaid(all []voiced) (kept []voiced, dropped int) {
	type line struct{ principal, words, turn string }
	best := make(map[line]*pack.Entry, len(all))
	lines := make([]line, len(all))
	for i, v := range all {
		at := line{v.principal, words.Folded(v.words), ""}
		if conversationOf(v.item.Record) != "" {
			at.turn = v.item.Ref.String() // "yes" answers another question each time
		}
		lines[i] = at
		b := best[at]
		if b == nil || cmp.Or(cmp.Compare(heights[v.entry.Section], heights[b.Section]),
			cmp.Compare(v.entry.Priority, b.Priority), cmp.Compare(v.entry.Score, b.Score)) > 0 {
			best[at] = v.entry
		}
	}
	for i, v := range all {
		if best[lines[i]] == v.entry {
			kept = append(kept, v)
		} else if v.hit {
			dropped++
			// a link about the words is open for each memory that says them
			b := best[lines[i]]
			for _, m := range v.entry.Marks {
				if slices.Contains(v.tied, m) && !slices.Contains(b.Marks, m) {
					b.Marks = append(slices.Clip(b.Marks), m)
				}
			}
		}
	}
	return kept, dropped
}
