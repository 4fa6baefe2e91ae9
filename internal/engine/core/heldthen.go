package core

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// until says when a memory that was replaced stopped to hold: where what took its
// place begins. A successor that names no beginning holds always, so that what it
// replaced never held. The zero time is that nothing took its place.
func (c Chain) until(i int) (at time.Time, ever bool) {
	for _, next := range c[i+1:] {
		from := next.Record.Header.ValidFrom
		if from.IsZero() {
			return time.Time{}, false
		}
		if at.IsZero() || from.Before(at) {
			at = from.Time
		}
	}
	return at, true
}

// heldAt gives the memory of a chain that held at a time, and until when where
// another took its place; nil is none. What was rejected, forgotten or quarantined
// never did.
func (c Chain) HeldAt(at time.Time) (*store.Item, time.Time) {
	for i, it := range c {
		s := it.State
		replaced := !s.SupersededBy.IsZero()
		s.SupersededBy = memory.ID{}
		if !s.Live() || !Holds(it.Record, at) {
			continue
		}
		until, ever := c.until(i)
		if !replaced || ever && i < len(c)-1 && at.Before(until) {
			return it, until
		}
	}
	return nil, time.Time{}
}

// heldUntil reports whether a memory that was replaced held at a time, and until when.
func (e *Core) HeldUntil(ctx context.Context, it *store.Item, asOf memory.Time, at time.Time) (time.Time, bool, error) {
	if it.State.SupersededBy.IsZero() {
		return time.Time{}, false, nil
	}
	chains, err := e.Chains(ctx, asOf, []*store.Item{it})
	if err != nil {
		return time.Time{}, false, err
	}
	held, until := chains[0].HeldAt(at)
	return until, held == it, nil
}
