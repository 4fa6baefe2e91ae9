package intake

import (
	"context"
	"math"

	"github.com/stemma-memory/stemma/internal/anamnesis"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// depths says how many levels of sources are behind memories: one more than
// behind the deepest of its sources. What an imported document claims counts where
// it claims more, since what it came from need not be held here.
type depths struct {
	store store.Store
	rungs map[memory.ID]*rung
}

type rung struct {
	from  []memory.ID
	depth int
	known bool // depth is counted
}

func newDepths(s store.Store) *depths { return &depths{store: s, rungs: make(map[memory.ID]*rung)} }

// load reads all that is behind ids.
func (d *depths) load(ctx context.Context, ids []memory.ID) error {
	waiting := ids
	for len(waiting) > 0 {
		var level []memory.ID
		for _, id := range waiting {
			if d.rungs[id] == nil {
				d.rungs[id] = new(rung)
				level = append(level, id)
			}
		}
		items, err := d.store.Get(ctx, level...)
		if err != nil {
			return core.Classify(err)
		}
		waiting = nil
		for i, it := range items {
			if it == nil || it.Record == nil {
				continue
			}
			r := d.rungs[level[i]]
			for _, ref := range anamnesis.Parents(it.Record) {
				r.from = append(r.from, ref.ID)
			}
			if c, ok := anamnesis.CitedBy(it.Record); ok {
				r.depth = int(min(c.Depth, math.MaxInt32))
			}
			waiting = append(waiting, r.from...)
		}
	}
	return nil
}

// of returns the depth of what was loaded. A lineage may be longer than a stack is
// deep.
func (d *depths) of(id memory.ID) int {
	for waiting := []memory.ID{id}; len(waiting) > 0; {
		r := d.rungs[waiting[len(waiting)-1]]
		if r.known {
			waiting = waiting[:len(waiting)-1]
			continue
		}
		waits := false
		for _, from := range r.from {
			if !d.rungs[from].known {
				waiting, waits = append(waiting, from), true
			}
		}
		if waits {
			continue
		}
		for _, from := range r.from {
			r.depth = max(r.depth, d.rungs[from].depth+1)
		}
		r.known = true
	}
	return d.rungs[id].depth
}
