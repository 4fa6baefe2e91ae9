package stemma

import (
	"cmp"
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// IdentityRequest asks who this memory belongs to.
type IdentityRequest struct {
	Limit int `json:"limit,omitempty" jsonschema:"of each kind; 0 is 10, -1 is all"`
}

// IdentityReply is what memories say of who we are. Every line of it is a memory
// that can be traced; nothing is concluded here.
type IdentityReply struct {
	Values  []IdentityMemory `json:"values"`  // by priority
	Goals   []IdentityMemory `json:"goals"`   // those that are active, by priority
	Drives  []IdentityMemory `json:"drives"`  // by intensity, as it is now
	Beliefs []IdentityMemory `json:"beliefs"` // the strongest: confidence times what the tier is worth
	More    bool             `json:"more,omitempty"`
}

// IdentityMemory is a memory with how much stands behind it.
type IdentityMemory struct {
	Memory
	Sources  int `json:"source_count"`            // what it was derived from directly
	Evidence int `json:"evidence_count"`          // sources, and what it names as evidence
	Confirms int `json:"confirmations,omitempty"` // by witnesses
	Disputes int `json:"disputes,omitempty"`
}

// identityLimit is how many of each kind are shown unless told otherwise.
const identityLimit = 10

// Identity shows the live values, active goals, drives and strongest beliefs.
func (e *Engine) Identity(ctx context.Context, in IdentityRequest) (IdentityReply, error) {
	reply := IdentityReply{}
	limit := cmp.Or(in.Limit, identityLimit)
	for _, part := range []struct {
		into   *[]IdentityMemory
		kind   memory.Kind
		takes  func(*store.Item) bool
		weight func(*store.Item) float64
	}{
		{&reply.Values, memory.KindValue, nil, priority},
		{&reply.Goals, memory.KindGoal, func(it *store.Item) bool { return active(&it.State) }, priority},
		{&reply.Drives, memory.KindDrive, nil, func(it *store.Item) float64 { return float64(intensity(it)) }},
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

// weightiest gives the live memories of a kind, the weightiest first, of equals the
// newest.
func (e *Engine) weightiest(ctx context.Context, kind memory.Kind, takes func(*store.Item) bool,
	weight func(*store.Item) float64, limit int) (items []*store.Item, more bool, err error) {
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return nil, false, sorted(err)
	}
	weights := make(map[memory.ID]float64)
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{kind}, Spaces: spaces}) {
		if err != nil {
			return nil, false, sorted(err)
		}
		if it.Record != nil && (takes == nil || takes(it)) {
			items = append(items, it)
		}
	}
	if _, err := e.vouch(ctx, items, false); err != nil {
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

// behind shows memories with how much stands behind each.
func (e *Engine) behind(ctx context.Context, items []*store.Item) ([]IdentityMemory, error) {
	out := make([]IdentityMemory, 0, len(items))
	memories, err := e.views(ctx, items...)
	for i, m := range memories {
		p, s := &items[i].Record.Header.Provenance, &items[i].State
		out = append(out, IdentityMemory{
			Memory: m, Sources: len(p.From) - len(m.Fallen), Evidence: len(p.From) - len(m.Fallen) + len(p.Evidence), Confirms: s.Confirms, Disputes: s.Disputes,
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
	return it.State.Confidence.Float() * rank.TierFactor(tierOf(it))
}
