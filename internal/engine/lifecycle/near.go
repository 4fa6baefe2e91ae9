package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// What is near: how many memories at most, and how much they share with what is new.
const (
	mostNear   = 3
	nearShare  = 0.2 // of what the new memory itself would score: its words weighed by how rare they are
	nearBest   = 0.6 // of what the nearest scores
	nearWithin = 0.5 // or so much of the words of the older one,
	nearWords  = 2   // and at least so many
	nearBytes  = 600 // that a statement has at most: a longer text is a document, which no word ends
)

// near returns the current memories about the same thing as a new one, the nearest first: what its author may have to
// say a word about. Those of its own lineage and those that are linked with it are left out.
func (e *Lifecycle) near(ctx context.Context, r *memory.Record) ([]*store.Item, error) {
	return e.nearBut(ctx, r, func(*store.Item) bool { return false })
}

// nearBut is near without those that skip names.
func (e *Lifecycle) nearBut(
	ctx context.Context, r *memory.Record, skip func(*store.Item) bool,
) ([]*store.Item, error) {
	long := func(r *memory.Record) bool { return len(core.Compared(r)) > nearBytes }
	if long(r) {
		return nil, nil
	}
	items, hits, err := e.alike(ctx, r, false)
	if err != nil {
		return nil, err
	}
	own := make(map[memory.ID]float64, len(hits))
	for _, h := range hits {
		own[h.ID] = h.Own
	}
	all, err := e.comparable(ctx, r, items, hits, func(it *store.Item) bool {
		return long(it.Record) || skip(it)
	})
	if err != nil {
		return nil, err
	}
	terms := make(map[string]bool)
	for _, t := range words.Query(core.Compared(r)) {
		terms[t] = true
	}
	trusted, err := e.trust.Rate(ctx, all, false)
	if err != nil {
		return nil, err
	}
	var out []*store.Item
	for _, it := range all {
		if v := trusted[it.Ref.ID]; v == nil || v.External || v.Tainted {
			continue // words from outside are given to who asks for them
		}
		score := own[it.Ref.ID]
		if len(out) < mostNear && score >= nearBest*own[all[0].Ref.ID] &&
			(score >= nearShare*own[r.ID] || saysMuchOf(terms, it.Record)) {
			out = append(out, it)
		}
	}
	return out, nil
}

// saysMuchOf reports whether much of what a memory says is said again among some terms.
func saysMuchOf(terms map[string]bool, r *memory.Record) bool {
	said, shared := words.Query(core.Compared(r)), 0
	for _, t := range said {
		if terms[t] {
			shared++
		}
	}
	return shared >= nearWords && float64(shared) >= nearWithin*float64(len(said))
}

// nearOf returns what is near to memories that were just made, each once and none of them.
func (e *Lifecycle) nearOf(ctx context.Context, made []*store.Item) ([]*store.Item, error) {
	var out []*store.Item
	for _, it := range made {
		if !IsCompared(it.Record) {
			continue
		}
		some, err := e.near(ctx, it.Record)
		if err != nil {
			return nil, err
		}
		for _, o := range some {
			if same := func(x *store.Item) bool { return x.Ref == o.Ref }; len(out) < mostNear &&
				!slices.ContainsFunc(out, same) && !slices.ContainsFunc(made, same) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}
