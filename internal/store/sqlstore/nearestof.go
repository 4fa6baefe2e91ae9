package sqlstore

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
)

// nearest returns what searches the vectors.
func (s *Store) nearest() *nearest.Base {
	return &nearest.Base{
		Read: s.read, Names: s.names, Name: s.name, Cache: s.cache, ReadOnly: s.readOnly, Unfiled: s.key != nil, Now: s.now,
		IsShown: shown, Shown: s.shownOf, Change: s.Change, Copies: &s.copies,
	}
}

// readNearest is Nearest on the database itself, without the fallback.
func (s *Store) readNearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	hits, err := s.nearest().Search(ctx, n)
	return hits, s.Failed("search the vectors of", err)
}
