package trust

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// counting says of what stands behind a record why it does not count; "" is that it
// does: it is reached by a way on which everything stands.
func (s *scoring) Counting(root *memory.Record, items []*store.Item) map[memory.ID]string {
	out := make(map[memory.ID]string)
	reached := map[memory.ID]bool{}
	if root != nil {
		reached[root.ID] = true
		for todo := []*memory.Record{root}; len(todo) > 0; todo = todo[1:] {
			p := &todo[0].Header.Provenance
			for _, ref := range slices.Concat(p.From, p.Supersedes) {
				it := s.held[ref.ID]
				if reached[ref.ID] || it == nil || s.flaw(it) != "" {
					continue
				}
				reached[ref.ID] = true
				todo = append(todo, it.Record)
			}
		}
	}
	for _, it := range items {
		if it == nil || it.Record == nil || reached[it.Ref.ID] || s.held[it.Ref.ID] == nil {
			continue
		}
		why := s.flaw(it)
		if why == "" {
			why = "only stands behind what does not count"
		}
		out[it.Ref.ID] = why
	}
	return out
}
