package engine

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
)

// Used says that the caller relied on memories: one access of each, which keeps
// them from being forgotten. Like every access it changes nothing of what a search,
// a list or a pack gives.
func (e *Engine) Used(ctx context.Context, in api.UsedRequest) (api.UsedReply, error) {
	reply := api.UsedReply{Memories: []api.UsedMemory{}}
	if len(in.Refs) == 0 {
		return reply, invalid("refs: name at least one memory")
	}
	if e.c.ReadOnly {
		return reply, sorted(store.ErrReadOnly)
	}
	items, err := e.resolveAll(ctx, in.Refs)
	if err != nil {
		return reply, err
	}
	for _, it := range items {
		if !it.Ref.Kind.IsMemory() {
			return reply, invalid("%s is not a memory but a %s", it.Ref.Short(), it.Ref.Kind)
		}
	}
	ids := idsOf(refsOf(items))
	e.touch(ctx, ids...)
	if err := e.flushTouched(ctx); err != nil {
		return reply, err
	}
	used, err := e.store.Used(ctx, ids...)
	if err != nil {
		return reply, sorted(err)
	}
	for i, it := range items {
		reply.Memories = append(reply.Memories, api.UsedMemory{Ref: it.Ref.String(), Times: 1 + used[i].Times})
	}
	return reply, nil
}
