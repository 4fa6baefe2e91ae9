package recall

import (
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/bearing"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostSuccessors is of how many replaced memories that a question finds the successors are looked for.
const mostSuccessors = 20

// passed are what took the place of replaced memories that a question finds, by the ids of those.
type passed struct {
	of    map[memory.ID]memory.ID
	old   []*rank.Candidate
	words map[memory.ID]string // of the replaced memories
}

// passedOver leaves of the hits that are not shown those that a current memory took the place of. The new words
// answer what the old ones would, also if they share less with the question.
func (e *Finder) passedOver(
	rd *trust.Reading, hits []store.Hit, reads func(space string) bool, words func(*memory.Record) string,
) ([]store.Hit, *passed, error) {
	out := &passed{words: make(map[memory.ID]string)}
	var ids []memory.ID
	for _, h := range hits {
		if h.Hidden && h.Kind.IsMemory() && len(ids) < mostSuccessors {
			ids = append(ids, h.ID)
		}
	}
	found, first, err := successors(ids, reads, func(ids []memory.ID) ([]*store.Item, error) {
		return rd.Get(ids...)
	})
	if err != nil {
		return nil, nil, err
	}
	if out.of, err = e.withoutParted(rd, found); err != nil {
		return nil, nil, err
	}
	for _, it := range first {
		if it != nil && it.Record != nil && !it.State.SupersededBy.IsZero() {
			out.words[it.Ref.ID] = words(it.Record)
		}
	}
	return slices.DeleteFunc(hits, func(h store.Hit) bool { return h.Hidden && out.of[h.ID] == memory.ID{} }), out, nil
}

// withoutParted leaves out of replaced memories those of which a part stayed as a memory of its own: its words and
// those of the successor answer each for themselves.
func (e *Finder) withoutParted(
	rd *trust.Reading, found map[memory.ID]memory.ID,
) (map[memory.ID]memory.ID, error) {
	if len(found) == 0 {
		return found, nil
	}
	edges, err := e.Store.Edges(rd, graph.Forward, slices.SortedFunc(maps.Keys(found), memory.ID.Compare)...)
	if err != nil {
		return nil, err
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.DerivedFrom {
			ids = append(ids, edge.From)
		}
	}
	made, err := rd.Get(ids...)
	if err != nil {
		return nil, err
	}
	for _, it := range made {
		if it == nil || it.Record == nil {
			continue
		}
		if _, is := core.RestAfter(it.Record); is && !it.State.Forgotten {
			for _, ref := range it.Record.Header.Provenance.From {
				delete(found, ref.ID)
			}
		}
	}
	return found, nil
}

// apart takes the replaced memories out of the candidates.
func (h *passed) apart(all []*rank.Candidate) []*rank.Candidate {
	if len(h.of) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(c *rank.Candidate) bool {
		_, is := h.of[c.ID]
		if is {
			h.old = append(h.old, c)
		}
		return is
	})
}

// lend gives each successor the relevance that what it replaced would have here, by its words and by its sources,
// if that is higher.
func (h *passed) lend(get func(memory.ID) *rank.Candidate) {
	for _, old := range h.old {
		c := get(h.of[old.ID])
		if more := old.Relevance + old.Graph - c.Relevance; more > c.Graph {
			c.Graph, c.From = more, old.ID
		}
	}
}

// answers reports whether words that a memory took the place of bear on a question.
func (h *passed) answers(id memory.ID, asks *bearing.Question) bool {
	if h == nil {
		return false
	}
	for old, now := range h.of {
		if said, is := h.words[old]; is && now == id && !asks.Weak(said) {
			return true
		}
	}
	return false
}
