package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// gather reads what was made of the raws, what took its place, and what was said of
// those that are not current.
func (s *settling) gather(rd *trust.Reading) error {
	if len(s.raws) == 0 {
		return nil
	}
	cited, err := s.cited(rd)
	if err != nil {
		return err
	}
	var ids []memory.ID
	for _, of := range cited {
		for _, c := range of {
			ids = append(ids, c.by)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	sorting.By(ids, memory.ID.Compare)
	ids = slices.Compact(ids)
	items, err := s.e.ItemsAt(rd, s.at, ids...)
	if err != nil {
		return err
	}
	chains, err := s.e.Chains(rd, s.at, items)
	if err != nil {
		return err
	}
	chainOf := make(map[memory.ID]core.Chain, len(ids))
	for i, c := range chains {
		chainOf[ids[i]] = c
	}
	for _, raw := range s.raws {
		for _, of := range cited[raw.Ref.ID] {
			c := chainOf[of.by]
			if len(c) == 0 || !c.First().Ref.Kind.IsMemory() || !s.counts(c.First().Record, raw.Record) {
				continue
			}
			if !of.cites && !SameLetters(raw.Record, c.First().Record) {
				continue // a mark does not make words say what they do not
			}
			s.made[raw.Ref.ID] = append(s.made[raw.Ref.ID], Made{Chain: c, Cites: of.cites})
		}
	}
	if err := s.decisions(rd); err != nil {
		return err
	}
	for id, all := range s.made {
		s.was[id], s.made[id] = all, s.distinct(all)
	}
	return nil
}

// citing is a memory that cites a raw, or that a mark says the raw repeated.
type citing struct {
	by    memory.ID
	cites bool
}

// cited returns, by raw, the memories that cite it and those that a mark says it repeated, in their order.
func (s *settling) cited(rd *trust.Reading) (map[memory.ID][]citing, error) {
	edges, err := s.e.Store.Edges(rd, graph.Forward, core.IDsOf(core.RefsOf(s.raws))...)
	if err != nil {
		return nil, core.Classify(err)
	}
	out := make(map[memory.ID][]citing)
	var claims []memory.ID
	for _, edge := range edges {
		switch edge.Rel {
		case graph.DerivedFrom:
			out[edge.To] = append(out[edge.To], citing{edge.From, true})
		case graph.Speaks:
			claims = append(claims, edge.From)
		}
	}
	items, err := s.e.ItemsAt(rd, s.at, claims...)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if it == nil {
			continue
		}
		s.hear(it.Record)
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != memory.Said || m.Of == nil {
			continue
		}
		if raw, err := memory.ParseRef(m.Value); err == nil && raw.ID != m.Of.ID {
			out[raw.ID] = append(out[raw.ID], citing{m.Of.ID, false})
		}
	}
	for raw, all := range out {
		if len(all) < 2 {
			continue
		}
		sorting.By(all, func(a, b citing) int {
			if c := a.by.Compare(b.by); c != 0 || a.cites == b.cites {
				return c
			} else if a.cites {
				return -1
			}
			return 1
		})
		out[raw] = slices.CompactFunc(all, func(a, b citing) bool { return a.by == b.by })
	}
	return out, nil
}

// hear files a claim under the records that it is about.
func (s *settling) hear(c *memory.Record) {
	for _, edge := range graph.Edges(c) {
		h := hearing{edge.To, c}
		if !s.heard[h] && edge.Rel != graph.DerivedFrom && edge.Rel != graph.Recalled {
			s.heard[h] = true
			s.about[edge.To] = append(s.about[edge.To], c)
		}
	}
}

// decisions reads what was decided about the memories that are not current, and of
// the raws behind them.
func (s *settling) decisions(rd *trust.Reading) error {
	var ids []memory.ID
	records := make(map[memory.ID]*memory.Record)
	current := make(map[memory.ID]bool)
	for _, raw := range s.raws {
		for _, m := range s.made[raw.Ref.ID] {
			if m.First().State.Live() {
				continue
			}
			records[raw.Ref.ID] = raw.Record
			for _, it := range m.Chain {
				if current[it.Ref.ID] = it.State.SupersededBy.IsZero(); !it.State.Live() && records[it.Ref.ID] == nil {
					records[it.Ref.ID] = it.Record
					ids = append(ids, it.Ref.ID)
				}
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	edges, err := s.e.Store.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return core.Classify(err)
	}
	var claims []memory.ID
	asked := make(map[memory.ID]bool)
	var made []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.DerivedFrom {
			made = append(made, edge.From)
		} else if edge.Rel != graph.Recalled && !asked[edge.From] {
			asked[edge.From] = true
			claims = append(claims, edge.From)
		}
	}
	if err := s.stayed(rd, made); err != nil {
		return err
	}
	items, err := s.e.ItemsAt(rd, s.at, claims...)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it != nil {
			s.hear(it.Record)
		}
	}
	now := s.e.C.Now()
	if !s.at.IsZero() {
		now = s.at.Time()
	}
	for id, r := range records {
		d := state.Decide(r, s.about[id], now, s.who)
		if current[id] {
			d.Replaced = nil // what took its place was decided against
		}
		s.decided[id] = d
	}
	return nil
}

// stayed notes the memories that say what stays of one whose place was taken in part, by that one.
func (s *settling) stayed(rd *trust.Reading, made []memory.ID) error {
	items, err := s.e.ItemsAt(rd, s.at, made...)
	if err != nil {
		return err
	}
	chains, err := s.e.Chains(rd, s.at, items)
	if err != nil {
		return err
	}
	for i, it := range items {
		if it == nil || it.Record == nil || len(chains[i]) == 0 || !chains[i].Last().State.Live() {
			continue
		}
		if _, is := core.RestAfter(it.Record); is {
			for _, ref := range it.Record.Header.Provenance.From {
				s.rests[ref.ID] = append(s.rests[ref.ID], chains[i].Last())
			}
		}
	}
	return nil
}

// distinct counts revisions of one memory as one, and leaves out what its author took
// back: it was never made.
func (s *settling) distinct(all []Made) []Made {
	var out []Made
	at := make(map[memory.ID]int, len(all)) // the first of out whose chain has a record, counted from 1
	begins := make(map[memory.ID]int, len(all))
	for _, m := range all {
		if f := s.decided[m.Last().Ref.ID].Forgotten; f != nil && f.Header.Provenance.Context == core.ContextUndo ||
			m.TakenBack() {
			continue
		}
		i := at[m.First().Ref.ID]
		for _, it := range m.Chain {
			if n := begins[it.Ref.ID]; n > 0 && (i == 0 || n < i) {
				i = n
			}
		}
		switch {
		case i == 0:
			out = append(out, m)
			i = len(out)
		case len(m.Chain) > len(out[i-1].Chain):
			out[i-1] = m
		default:
			continue
		}
		for _, it := range m.Chain {
			if n := at[it.Ref.ID]; n == 0 || i < n {
				at[it.Ref.ID] = i
			}
		}
		if first := m.First().Ref.ID; begins[first] == 0 {
			begins[first] = i
		}
	}
	return out
}
