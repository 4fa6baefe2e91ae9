package core

import (
	"context"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// readAhead is a Graph that reads the records a walk comes to while the walk
// goes on: a chain of revisions takes as many hops as it is long, and each hop
// waits for the one before.
type readAhead struct {
	store store.Store
	rd    *Reading
	todo  chan []memory.ID
	done  chan struct{}
	held  map[memory.ID]*store.Item
	err   error
}

// aheadBatch is how many records are read at a time at least, where the walk
// has come to so many.
const aheadBatch = 32

// ReadingAhead begins to read; end must be called.
func (e *Core) ReadingAhead(ctx context.Context) *readAhead {
	r := &readAhead{
		store: e.Store, rd: e.Read(ctx), todo: make(chan []memory.ID, aheadBatch), done: make(chan struct{}),
		held: make(map[memory.ID]*store.Item),
	}
	go func() {
		defer close(r.done)
		var ids []memory.ID
		for more := range r.todo {
			if ids = append(ids, more...); len(ids) >= aheadBatch {
				r.read(ids)
				ids = ids[:0]
			}
		}
		r.read(ids)
	}()
	return r
}

// Edges asks the store, and notes the records that were asked about.
func (r *readAhead) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	r.todo <- ids
	return r.store.Edges(ctx, dir, ids...)
}

func (r *readAhead) read(ids []memory.ID) {
	if r.err != nil || len(ids) == 0 {
		return
	}
	items, err := r.rd.Get(ids...)
	r.err = err
	for i, it := range items {
		if it != nil {
			r.held[ids[i]] = it
		}
	}
}

// End waits for the reads that are still running and returns all results; records that are not
// held are absent.
func (r *readAhead) End() (map[memory.ID]*store.Item, error) {
	close(r.todo)
	<-r.done
	return r.held, r.err
}
