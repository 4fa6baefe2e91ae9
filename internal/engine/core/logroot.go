package core

import (
	"context"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
)

// RootAt returns the root of a log when it held size records.
func (e *Core) RootAt(ctx context.Context, space string, size int64) (ledger.Hash, error) {
	root, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		return e.Store.Since(ctx, space, after, limit)
	})
	return root, Classify(err)
}

// LogTree returns the tree over a log of a store, with its root.
func (e *Core) LogTree(ctx context.Context, in store.Store, space string) (*ledger.Tree, ledger.Hash, error) {
	t, root, err := e.trees.of(ctx, in, space, kept{e.C.Cache, e.C.ReadOnly})
	return t, root, Classify(err)
}
