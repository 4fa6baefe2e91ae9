package door

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// decided lists what a person approved up to a limit, which only verified items count for: rows that say more than the
// records do take no place.
func (d *Store) decided(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	most := q.Limit
	q.Limit, q.Few = 0, cmp.Or(q.Few, most)
	return func(yield func(*store.Item, error) bool) {
		given := 0
		for it, err := range d.List(ctx, q) {
			if given++; !yield(it, err) || given == most {
				return
			}
		}
	}
}

// Match finds records by their words. Hits of what a person approved are verified, and more are asked for where some
// are not approved. Other hits go by the tables alone.
func (d *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	hits, err := d.Store.Match(ctx, m)
	if err != nil || !m.Decided {
		return hits, err
	}
	for most, before := m.Limit, -1; ; {
		found := len(hits)
		if hits, err = d.approved(ctx, hits); err != nil {
			return nil, err
		}
		enough := len(hits) == found || found == before || most <= 0
		if first, full := store.FirstHits(hits, most); enough || full {
			return first, nil
		}
		before = found
		m.Limit *= 4
		if hits, err = d.Store.Match(ctx, m); err != nil {
			return nil, err
		}
	}
}

// approved leaves out the hits that no person approved, by their records.
func (d *Store) approved(ctx context.Context, hits []store.Hit) ([]store.Hit, error) {
	ids := make([]memory.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	items, err := d.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	is := make(map[memory.ID]bool, len(ids))
	for i, it := range items {
		is[ids[i]] = it != nil && it.State.Review == state.ReviewApproved
	}
	return slices.DeleteFunc(hits, func(h store.Hit) bool { return !is[h.ID] }), nil
}
