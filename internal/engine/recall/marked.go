package recall

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
)

// anyMarked reports whether there is a record that has the marks.
func (s *searching) anyMarked(ctx context.Context, spaces []string) (bool, error) {
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Has: s.has, Hidden: true, Limit: 1}
	for _, err := range s.e.Store.List(ctx, q) {
		return err == nil, err
	}
	return false, nil
}

// pool is how many matches a search looks at to begin with.
func (s *searching) pool() int { return max(poolSize, 2*s.limit) }

// matches returns the matches of words. Where they are asked to have marks, the best without them still set the
// measure and propagate, and come after.
func (s *searching) matches(ctx context.Context, m store.Match) (hits []store.Hit, full bool, err error) {
	hits, err = s.e.Store.Match(ctx, m)
	shown := 0
	for i := range hits {
		if !hits[i].Hidden {
			shown++
		}
	}
	full = shown == m.Limit
	if err != nil || m.Has == nil {
		return hits, full, err
	}
	m.Has, m.Limit = nil, s.pool()
	best, err := s.e.Store.Match(ctx, m)
	return append(hits, best...), full, err
}
