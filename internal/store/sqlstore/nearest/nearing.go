package nearest

import (
	"cmp"
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// How many more rows are scanned than are asked for.
const (
	margin  = 40 // more are looked at again than are wanted: codes may have put the last of those wanted a little lower
	spare   = 2  // one in so many more is taken: some are hidden
	growing = 4  // so many times as many are taken when too few are left
)

// nearing is one search for near vectors.
type nearing struct {
	s *Base
	store.Near
	model  Model
	limit  int
	kinds  []int
	spaces []int // none is all
}

// A candidate is a record that may be near.
type candidate struct {
	key   int64
	id    memory.ID
	kind  memory.Kind // "" where it was not asked for
	score float64
}

// shown leaves those that lists and searches show, unless hidden ones are asked
// for.
func (q *nearing) shown(ctx context.Context, all []candidate) ([]candidate, error) {
	if q.Hidden || len(all) == 0 {
		return all, nil
	}
	keys := make([]int64, len(all))
	for i, c := range all {
		keys[i] = c.key
	}
	shown, err := q.s.Shown(ctx, keys)
	if err != nil {
		return nil, err
	}
	var out []candidate
	for i, c := range all {
		if shown[i] {
			out = append(out, c)
		}
	}
	return out, nil
}

// best returns the best of some, of equals the newest.
func (q *nearing) best(all []candidate) []store.Hit {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key, a.key))
	})
	out := make([]store.Hit, 0, min(q.limit, len(all)))
	for _, c := range all[:min(q.limit, len(all))] {
		out = append(out, store.Hit{ID: c.id, Score: c.score, Kind: c.kind})
	}
	return out
}
