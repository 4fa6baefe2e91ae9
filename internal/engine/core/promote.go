package core

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// derivedFrom gives the memories that name id as a source.
func (e *Core) DerivedFrom(ctx context.Context, id memory.ID) ([]*store.Item, error) {
	edges, err := e.Store.Edges(ctx, memory.Forward, id)
	if err != nil {
		return nil, Sorted(err)
	}
	var ids []memory.ID
	for _, edge := range edges {
		if edge.Rel == memory.DerivedFrom {
			ids = append(ids, edge.From)
		}
	}
	items, err := e.Store.Get(ctx, ids...)
	return slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil }), Sorted(err)
}
