package both

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Hidden returns those of both, the first's first.
func (s *Store) Hidden(ctx context.Context) ([]store.Hidden, error) {
	out, err := store.HiddenOf(ctx, s.Store)
	if err != nil {
		return nil, err
	}
	more, err := store.HiddenOf(ctx, s.second)
	return append(out, more...), err
}

// Replaced asks both: what one holds may replace what the other does.
func (s *Store) Replaced(ctx context.Context, id memory.ID, most int) ([]memory.Ref, error) {
	out, err := store.ReplacedBy(ctx, s.Store, id, most)
	if err != nil {
		return nil, err
	}
	more, err := store.ReplacedBy(ctx, s.second, id, most)
	return append(out, more...), err
}

// AnyRejected asks both.
func (s *Store) AnyRejected(ctx context.Context) (bool, error) {
	any, err := store.AnyRejected(ctx, s.Store)
	if err != nil || any {
		return any, err
	}
	return store.AnyRejected(ctx, s.second)
}
