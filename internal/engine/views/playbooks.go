package views

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// served counts how a playbook served, its earlier wordings included. Of other kinds it
// counts nothing.
func (e *Views) served(ctx context.Context, it *store.Item, m *api.Memory) error {
	if it.Ref.Kind != memory.KindPlaybook {
		return nil
	}
	earlier, err := e.earlier(ctx, it)
	if err != nil || len(earlier) == 0 {
		return err
	}
	if _, err := e.trust.Vouch(ctx, earlier, false); err != nil {
		return err
	}
	all := it.State
	for _, old := range earlier {
		all.Uses += old.State.Uses
		all.Successes += old.State.Successes
	}
	m.Uses, m.Successes, m.SuccessRate = all.Uses, all.Successes, core.SuccessRate(&all)
	return nil
}
