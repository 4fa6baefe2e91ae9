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
	"github.com/stemma-memory/stemma/internal/state"
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

// A weighty memory is one of a list.
type weighty struct {
	it     *store.Item
	at     int // its place in the list
	weight float64
}

func heavier(a, b *weighty) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.at, b.at))
}

// ratedAtOnce is how many memories are rated at a time, of those that may be among the weightiest.
const ratedAtOnce = 64

// weightiest returns the live memories of a kind, the weightiest first, of equals the newest. A weight may only be
// smaller when what a memory rests on was read: of most that is not needed.
func (e *Mind) weightiest(ctx context.Context, kind memory.Kind, takes func(*store.Item) bool,
	weight func(*store.Item) float64, limit int) (items []*store.Item, more bool, err error) {
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, false, core.Classify(err)
	}
	var left, best []*weighty
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{kind}, Spaces: spaces}) {
		if err != nil {
			return nil, false, core.Classify(err)
		}
		if it.Record != nil && (takes == nil || takes(it)) {
			left = append(left, &weighty{it, len(left), weight(it)})
		}
	}
	more = limit > 0 && len(left) > limit
	slices.SortFunc(left, heavier)
	for len(left) > 0 && (!more || len(best) < limit || heavier(left[0], best[limit-1]) < 0) {
		n := min(len(left), max(ratedAtOnce, limit))
		if !more {
			n = len(left)
		}
		some := make([]*store.Item, n)
		for i, w := range left[:n] {
			some[i] = w.it
		}
		if _, err := e.trust.Rate(e.trust.Reading(ctx), some, false); err != nil {
			return nil, false, err
		}
		for _, w := range left[:n] {
			w.weight = weight(w.it)
		}
		best, left = append(best, left[:n]...), left[n:]
		slices.SortFunc(best, heavier)
	}
	for i := range best {
		if more && i == limit {
			break
		}
		items = append(items, best[i].it)
	}
	return items, more, nil
}

// behind returns memories with the number of memories behind each.
func (e *Mind) behind(ctx context.Context, items []*store.Item) ([]api.IdentityMemory, error) {
	out := make([]api.IdentityMemory, 0, len(items))
	memories, err := e.views.Views(e.trust.Reading(ctx), items...)
	for i, m := range memories {
		p, s := &items[i].Record.Header.Provenance, &items[i].State
		out = append(out, api.IdentityMemory{
			Memory: m, SourceCount: len(p.From) - len(m.NoLongerCounts),
			EvidenceCount: len(p.From) - len(m.NoLongerCounts) + len(p.Evidence),
			Confirmations: s.Confirms, Disputes: s.Disputes,
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

// strength is what a belief weighs: how sure its author is does not outweigh what it rests on. Of one that was not
// rated it is the most that it can be.
func strength(it *store.Item) float64 {
	tier := views.TierOf(it)
	if it.Tier == nil {
		if tier = state.Observed; it.Record.HasCode() && !it.State.Verified.IsZero() {
			tier = state.Grounded
		}
	}
	return it.State.Confidence.Float() * rank.TierFactor(tier)
}
