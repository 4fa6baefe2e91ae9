package core

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/store"
)

// Trial runs do with this caller's engine as it would be with a batch stored. Nothing is kept of it, and no reading
// counts.
func (e *Core) Trial(ctx context.Context, b store.Batch, do func(context.Context, *Core) error) error {
	s, is := store.Plain(e.Store).(store.Trier)
	if !is {
		return errors.New("this store cannot answer as it would be")
	}
	c := e.C
	c.ReadOnly = true
	beside := &Common{LLM: e.LLM}
	e.Ring.Lock()
	beside.Me, beside.keysOf, beside.known, beside.knownOf = e.Me, e.keysOf, e.known, e.knownOf
	e.Ring.Unlock()
	return s.Try(store.Fresh(ctx), b, func(ctx context.Context, s store.Store) error {
		return do(ctx, At(&Core{Common: beside, Store: s, C: c, NoSpace: e.NoSpace}))
	})
}
