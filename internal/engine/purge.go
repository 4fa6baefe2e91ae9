package engine

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Purge removes the bytes, signatures, words and vectors of records for good, from
// every file of the store. Their ids stay, so that what cites them still verifies,
// and are refused for ever. It cannot be undone.
func (e *Engine) Purge(ctx context.Context, in api.PurgeRequest) (api.PurgeReply, error) {
	reply := api.PurgeReply{Purged: []string{}, Repeats: []api.Affected{}}
	if err := e.ownerOnly("purge records"); err != nil {
		return reply, err
	}
	if len(in.Refs) == 0 {
		return reply, invalid("refs: name at least one record")
	}
	items, err := e.resolveAll(ctx, in.Refs)
	if err != nil {
		return reply, err
	}
	v, err := e.voice()
	if err != nil {
		return reply, err
	}
	who, err := e.standing(ctx)
	if err != nil {
		return reply, err
	}
	var refs []memory.Ref
	for _, it := range items {
		switch k := it.Ref.Kind; {
		case it.Record == nil:
			return reply, conflict("%s was purged before", it.Ref.Short())
		case k == memory.KindKey || k == memory.KindMark:
			return reply, invalid("%s cannot be purged: who may speak, and what was purged, follows from such records", it.Ref.Short())
		case !memory.MayHide(v, it.Record, who):
			return reply, &failure{kind: api.ErrForbidden, text: it.Ref.Short() + " is another's, in a store that several write to: its owner purges it"}
		}
		refs = append(refs, it.Ref)
		reply.Purged = append(reply.Purged, it.Ref.String())
	}
	if err := refsOnce(refs); err != nil {
		return reply, err
	}
	ids := idsOf(refs)
	b, err := lineage.Radius(ctx, e.store, ids...)
	if err != nil {
		return reply, sorted(err)
	}
	if reply.Repeats, err = e.affected(ctx, b, ids, b.Order, mostShown); err != nil {
		return reply, err
	}
	if in.DryRun {
		reply.Goes, err = e.affected(ctx, nil, nil, ids, mostShown)
		return reply, err
	}
	marks, err := e.marks(ctx, marking{verb: memory.Purge, reason: in.Reason, with: true}, items...)
	if err != nil {
		return reply, err
	}
	reply.Claim = marks[0].Ref().String()
	return reply, e.append(ctx, store.Batch{Records: marks, Purge: ids})
}

func refsOnce(refs []memory.Ref) error {
	seen := make(map[memory.ID]bool)
	for _, r := range refs {
		if seen[r.ID] {
			return invalid("refs: %s is named twice", r.Short())
		}
		seen[r.ID] = true
	}
	return nil
}
