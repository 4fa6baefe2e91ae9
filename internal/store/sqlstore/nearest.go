package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
)

// Nearest compares with every vector.
func (s *Store) Nearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	var hits []store.Hit
	for v, err := range s.Vectors(ctx, n.Model) {
		if err != nil {
			return nil, err
		}
		if len(v.Vec) != len(n.Vec) {
			continue
		}
		dot := 0.0
		for i, f := range v.Vec {
			dot += float64(f) * float64(n.Vec[i])
		}
		hits = append(hits, store.Hit{ID: v.ID, Score: dot})
	}
	slices.SortStableFunc(hits, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(max(n.Limit, 1), len(hits))], ctx.Err()
}
