package core

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// one gives one record; nil where it is not held or was purged.
func (e *Core) One(ctx context.Context, id memory.ID) (*store.Item, error) {
	items, err := e.Store.Get(ctx, id)
	if err != nil {
		return nil, Sorted(err)
	}
	if items[0] == nil || items[0].Record == nil {
		return nil, nil
	}
	return items[0], nil
}
