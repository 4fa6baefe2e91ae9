package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
)

// Mark says a verb of records in the engine's own voice: what faces will offer
// under names of their own.
func (e *Engine) Mark(ctx context.Context, verb, reason string, refs ...string) error {
	items, err := e.resolveAll(ctx, refs)
	if err != nil {
		return err
	}
	r, err := e.mark(verb, reason, refsOf(items)...)
	if err != nil {
		return err
	}
	batch := store.Batch{}
	batch.Records = append(batch.Records, r)
	return e.append(ctx, batch)
}
