package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// What is near in other words: how many vectors are looked at, and how much nearer than two texts that have nothing to
// do with each other one must be. What words name goes before it: of that, rules and tests say that it is touched.
const (
	nearVectors = 50
	nearMeaning = 0.24
)

// inOtherWords adds to what is near by words what says it in other words, where there is a model in this process.
// Meaning only finds them: who wrote the new memory says what became of the old ones.
func (e *Lifecycle) inOtherWords(
	ctx context.Context, l *looked, r *memory.Record, near []*store.Item,
) ([]*store.Item, error) {
	em, here := e.C.Embedder.(llm.Local)
	text := core.Compared(r)
	if !here || len(near) >= mostNear || len(text) > nearBytes {
		return near, nil
	}
	vecs, err := em.Embed(ctx, llm.Document, text)
	if err != nil || len(vecs) != 1 || vecs[0] == nil {
		return near, nil // words alone say what is near
	}
	hits, err := e.Nearest(ctx, store.Near{
		Model: em.Model(), Vec: vecs[0], Spaces: e.ComparedSpaces(r.Header.Space), Kinds: comparedKinds, Limit: nearVectors,
	})
	if err != nil {
		return nil, core.Classify(err)
	}
	if hits, err = e.ByMeaning(ctx, em.Model(), hits); err != nil {
		return nil, core.Classify(err)
	}
	hits = slices.DeleteFunc(hits, func(h store.Hit) bool { return h.Score < em.Unrelated()+nearMeaning })
	for i := range hits {
		hits[i].Own = hits[i].Score
	}
	items, hits, err := e.read(ctx, hits)
	if err != nil {
		return nil, err
	}
	all, err := e.comparable(ctx, l, r, items, hits, mostNear, func(it *store.Item) bool {
		return len(core.Compared(it.Record)) > nearBytes ||
			slices.ContainsFunc(near, func(o *store.Item) bool { return o.Ref == it.Ref })
	})
	if err != nil {
		return nil, err
	}
	if all, err = e.behindTwins(ctx, l, r, all); err != nil {
		return nil, err
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), all, false)
	if err != nil {
		return nil, err
	}
	for _, it := range all {
		if v := trusted[it.Ref.ID]; v != nil && !v.External && !v.Tainted {
			near = append(near, it)
		}
	}
	return near[:min(mostNear, len(near))], nil
}
