package receipts

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
)

// Used records that the caller relied on memories: one access of each, which keeps them from
// being forgotten. Like every access it changes nothing in searches, lists and packs.
func (e *Journal) Used(ctx context.Context, in api.UsedRequest) (api.UsedReply, error) {
	rd := e.trust.Reading(ctx)
	reply := api.UsedReply{Memories: []api.UsedMemory{}}
	if len(in.Refs) == 0 {
		return reply, core.Invalid("refs: name at least one memory")
	}
	if e.C.ReadOnly {
		return reply, core.Classify(store.ErrReadOnly)
	}
	items, err := e.ResolveAll(rd, in.Refs)
	if err != nil {
		return reply, err
	}
	for _, it := range items {
		if !it.Ref.Kind.IsMemory() {
			return reply, core.Invalid("%s is not a memory but a %s", it.Ref.Short(), it.Ref.Kind)
		}
	}
	ids := core.IDsOf(core.RefsOf(items))
	e.Touch(rd, ids...)
	if err := e.FlushTouched(rd); err != nil {
		return reply, err
	}
	used, err := e.Store.Used(rd, ids...)
	if err != nil {
		return reply, core.Classify(err)
	}
	for i, it := range items {
		reply.Memories = append(reply.Memories, api.UsedMemory{Ref: it.Ref.String(), TimesAccessed: 1 + used[i].Times})
	}
	return reply, nil
}
