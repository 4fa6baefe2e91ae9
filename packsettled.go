package stemma

import (
	"context"
	"strings"

	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// heights are the sections of packs, the lowest first: words yield their line only to
// a memory that stands as high.
var heights = map[string]int{
	inUnverified: 0, inObserved: 1, inNeeds: 2, inVerified: 2, inConstraints: 2, inValues: 2, inGoals: 2, inDrives: 2,
}

// packSettled is what decisions make of the candidates of a pack.
type packSettled struct {
	said  map[memory.ID]*settled
	given map[memory.ID]bool
}

// settleIn says what decisions make of the candidates of a pack, best first.
func (e *Engine) settleIn(ctx context.Context, items []*store.Item, trusted map[memory.ID]*vouched) (*packSettled, error) {
	out := &packSettled{given: make(map[memory.ID]bool, len(items))}
	for _, it := range items {
		out.given[it.Ref.ID] = true
	}
	var err error
	out.said, err = e.settle(ctx, items, memory.Time{}, func(ctx context.Context, some []*store.Item) (map[memory.ID]int, error) {
		var unknown []*store.Item
		for _, it := range some {
			if trusted[it.Ref.ID] == nil {
				unknown = append(unknown, it)
			}
		}
		more, err := e.vouch(ctx, unknown, false)
		high := make(map[memory.ID]int, len(some))
		for _, it := range some {
			v := trusted[it.Ref.ID]
			if v == nil {
				v = more[it.Ref.ID]
			}
			if v != nil {
				high[it.Ref.ID] = heights[v.section(it)]
			}
		}
		return high, err
	})
	return out, err
}

// dropped says why a pack does not give a candidate; "" is that it does.
func (p *packSettled) dropped(id memory.ID) string {
	d := p.said[id]
	switch {
	case d == nil:
		return ""
	case d.hidden != "":
		return d.hidden
	case d.below != nil:
		return "replaced"
	case d.into != nil && p.given[d.into.Ref.ID] && d.into.Ref.ID != id:
		return "said by another entry"
	}
	return ""
}

// mark says in an entry what a reader has to know beside it.
func (p *packSettled) mark(id memory.ID, en *pack.Entry) {
	d := p.said[id]
	if d == nil {
		return
	}
	const most = 2 // more would take the place of other memories
	var said []string
	for _, m := range append(d.marks[:len(d.marks):len(d.marks)], d.open...) {
		if len(said) < most {
			said = append(said, m)
		}
	}
	if len(said) > 0 {
		if en.Why != "" {
			said = append(said, en.Why)
		}
		en.Why = strings.Join(said, "; ")
	}
}
