package views

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// tying gives the links, hidden ones too, that one of ids is an end of, each once.
func (e *Views) Tying(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	links, err := e.LinksOf(ctx, ids...)
	return slices.DeleteFunc(links, func(it *store.Item) bool {
		_, ok := it.Record.Body.(*memory.Link)
		return !ok
	}), err
}
