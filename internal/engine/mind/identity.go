package mind

import (
	"cmp"
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// identityLimit is how many of each kind are shown by default.
const identityLimit = 10

// Identity shows the live values, active goals, drives and strongest beliefs: of each kind
// at most the limit, 10 unless told otherwise.
func (e *Mind) Identity(ctx context.Context, in api.LimitRequest) (api.IdentityReply, error) {
	reply := api.IdentityReply{}
	limit := cmp.Or(in.Limit, identityLimit)
	for _, part := range []struct {
		into   *[]api.IdentityMemory
		kind   memory.Kind
		takes  func(*store.Item) bool
		weight func(*store.Item) float64
	}{
		{&reply.Values, memory.KindValue, nil, priority},
		{&reply.Goals, memory.KindGoal, func(it *store.Item) bool { return trust.Active(&it.State) }, priority},
		{&reply.Drives, memory.KindDrive, nil, func(it *store.Item) float64 { return float64(core.Intensity(it)) }},
		{&reply.Beliefs, memory.KindBelief, nil, strength},
	} {
		items, more, err := e.weightiest(ctx, part.kind, part.takes, part.weight, limit)
		if err != nil {
			return reply, err
		}
		reply.More = reply.More || more
		if *part.into, err = e.behind(ctx, items); err != nil {
			return reply, err
		}
	}
	return reply, nil
}

// weightiest returns the live memories of a kind, the weightiest first, of equals the
// newest.
func (e *Mind) weightiest(ctx context.Context, kind memory.Kind, takes func(*store.Item) bool,
	weight func(*store.Item) float64, limit int) (items []*store.Item, more bool, err error) {
	spaces, err := e.ReadSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, false, core.Classify(err)
	}
	weights := make(map[memory.ID]float64)
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{kind}, Spaces: spaces}) {
		if err != nil {
			return nil, false, core.Classify(err)
		}
		if it.Record != nil && (takes == nil || takes(it)) {
			items = append(items, it)
		}
	}
	if _, err := e.trust.Rate(ctx, items, false); err != nil {
		return nil, false, err
	}
	for _, it := range items {
		weights[it.Ref.ID] = weight(it)
	}
	slices.SortStableFunc(items, func(a, b *store.Item) int { return cmp.Compare(weights[b.Ref.ID], weights[a.Ref.ID]) })
	if limit > 0 && len(items) > limit {
		return items[:limit], true, nil
	}
	return items, false, nil
}

// behind returns memories with the number of memories behind each.
func (e *Mind) behind(ctx context.Context, items []*store.Item) ([]api.IdentityMemory, error) {
	out := make([]api.IdentityMemory, 0, len(items))
	memories, err := e.views.Views(ctx, items...)
	for i, m := range memories {
		p, s := &items[i].Record.Header.Provenance, &items[i].State
		out = append(out, api.IdentityMemory{
			Memory: m, Sources: len(p.From) - len(m.Fallen), Evidence: len(p.From) - len(m.Fallen) + len(p.Evidence),
			Confirms: s.Confirms, Disputes: s.Disputes,
		})
	}
	return out, err
}

func priority(it *store.Item) float64 {
	switch b := it.Record.Body.(type) {
	case *memory.Value:
		return float64(b.Priority)
	case *memory.Goal:
		return float64(b.Priority)
	}
	return 0
}

// strength is what a belief weighs: how sure its author is does not outweigh what
// it rests on.
func strength(it *store.Item) float64 {
	return it.State.Confidence.Float() * rank.TierFactor(views.TierOf(it))
}
