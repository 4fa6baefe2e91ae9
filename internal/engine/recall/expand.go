package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/memory"
)

// What the graph propagates: what a hit rests on shares what it has; what rests on a
// hit, and what else that rests on, gets a little.
const (
	sourcePart  = 0.5
	derivedPart = 0.2
	siblingPart = 0.1
	mostSources = 8  // a conclusion of more propagates to none of them
	mostDerived = 16 // the same for words of which much was made
)

// expand propagates the score of the best candidates along the graph. What they reach may be
// new to the search.
func (s *searching) expand(
	rd *trust.Reading, all []*rank.Candidate, get func(memory.ID) *rank.Candidate, lent *passed,
) error {
	best := make(map[memory.ID]float64)
	var ids []memory.ID
	for _, c := range all[:min(graphSources, len(all))] {
		best[c.ID] = c.Relevance
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	forward, err := s.e.Store.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return err
	}
	derived := byEnd(forward, func(e graph.Edge) (end, other memory.ID) { return e.To, e.From })
	for _, made := range derived {
		for _, id := range made[:min(len(made), mostDerived)] {
			if _, is := best[id]; !is {
				ids = append(ids, id)
			}
		}
	}
	back, err := s.e.Store.Edges(rd, graph.Back, ids...)
	if err != nil {
		return err
	}
	sources := byEnd(back, func(e graph.Edge) (end, other memory.ID) { return e.From, e.To })
	propagate := func(from, to memory.ID, share float64) {
		if from == to || share <= 0 || lent.of[to] == from { // what took its place gets none of its own back
			return
		}
		if c := get(to); share > c.Graph {
			c.Graph, c.From = share, from
		}
	}
	for _, id := range ids[:len(best)] {
		for _, src := range few(sources[id], mostSources) {
			propagate(id, src, sourcePart*best[id]/float64(len(sources[id])))
		}
		for _, made := range few(derived[id], mostDerived) {
			propagate(id, made, derivedPart*best[id])
			for _, sibling := range few(sources[made], mostSources) {
				propagate(id, sibling, siblingPart*best[id])
			}
		}
	}
	return nil
}

// byEnd groups the arrows of derivation by one of their ends.
func byEnd(edges []graph.Edge, ends func(graph.Edge) (end, other memory.ID)) map[memory.ID][]memory.ID {
	out := make(map[memory.ID][]memory.ID)
	for _, e := range edges {
		if e.Rel == graph.DerivedFrom {
			end, other := ends(e)
			out[end] = append(out[end], other)
		}
	}
	return out
}

// few returns a list unless it is longer than so many: then it says little of each.
func few(ids []memory.ID, most int) []memory.ID {
	if len(ids) > most {
		return nil
	}
	return ids
}
