package removal

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Purge removes the bytes, signatures, words and vectors of records for good, from
// every file of the store. Their ids stay, so that what cites them still verifies,
// and are refused for ever. It cannot be undone.
func (e *Removal) Purge(ctx context.Context, in api.PurgeRequest) (api.PurgeReply, error) {
	reply := api.PurgeReply{Purged: []string{}, RestsOnThem: []api.Affected{}}
	if err := e.OwnerOnly("purge records"); err != nil {
		return reply, err
	}
	if len(in.Refs) == 0 {
		return reply, core.Invalid("refs: name at least one record")
	}
	items, err := e.ResolveAll(ctx, in.Refs)
	if err != nil {
		return reply, err
	}
	v, err := e.Voice()
	if err != nil {
		return reply, err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return reply, err
	}
	shared, err := e.Shared(ctx)
	if err != nil {
		return reply, err
	}
	var refs []memory.Ref
	for _, it := range items {
		switch k := it.Ref.Kind; {
		case it.Record == nil:
			return reply, core.Conflict("%s was purged before", it.Ref.Short())
		case k == memory.KindKey || k == memory.KindMark:
			return reply, core.Invalid(
				"%s cannot be purged: who may speak, and what was purged, follows from such records",
				it.Ref.Short(),
			)
		case !state.MayHide(v, it.Record, who):
			return reply, &core.Failure{
				Kind: api.ErrForbidden,
				Text: it.Ref.Short() + " belongs to somebody else who writes to this store: only its owner can purge it",
			}
		case shared[it.Record.Header.Space] && !state.MayErase(v, it.Record, who):
			return reply, &core.Failure{
				Kind: api.ErrForbidden,
				Text: it.Ref.Short() + " is somebody else's in a shared space: its author or the owner of the space can " +
					"purge it, for all; `forget " + it.Ref.Short() + "` hides it here",
			}
		}
		refs = append(refs, it.Ref)
		reply.Purged = append(reply.Purged, it.Ref.String())
	}
	if err := refsOnce(refs); err != nil {
		return reply, err
	}
	ids := core.IDsOf(refs)
	b, err := lineage.Radius(ctx, e.Store, ids...)
	if err != nil {
		return reply, core.Classify(err)
	}
	if reply.RestsOnThem, err = e.affected(ctx, b, ids, b.Order, mostShown); err != nil {
		return reply, err
	}
	if in.DryRun {
		reply.Goes, err = e.affected(ctx, nil, nil, ids, mostShown)
		return reply, err
	}
	marks, err := e.Marks(ctx, core.Marking{Verb: memory.Purge, Reason: in.Reason, With: true}, items...)
	if err != nil {
		return reply, err
	}
	reply.Claim = marks[0].Ref().String()
	return reply, e.Append(ctx, store.Batch{Records: marks, Purge: ids})
}

func refsOnce(refs []memory.Ref) error {
	seen := make(map[memory.ID]bool)
	for _, r := range refs {
		if seen[r.ID] {
			return core.Invalid("refs: %s is named twice", r.Short())
		}
		seen[r.ID] = true
	}
	return nil
}
