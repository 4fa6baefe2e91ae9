// Package settle is the part of the engine that says what decisions and later words make of
// memories and of the words they come from, for everything that reads.
package settle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Settle is that part, for one caller.
type Settle struct {
	*core.Core

	trust *trust.Scores
	views *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Settle {
	return &Settle{Core: c, trust: trust.New(c, s.Scored), views: views.New(c, s)}
}

// Shared returns what the voices of a store that was just opened share, with what this part says of records.
func Shared() *views.Shared {
	s := views.NewShared()
	s.Decide = func(
		ctx context.Context, c *core.Core, s *views.Shared, items []*store.Item, known views.Ratings, at memory.Time,
	) (views.Decisions, error) {
		e := New(c, s)
		return e.Settle(ctx, items, at, func(ctx context.Context, items []*store.Item) (map[memory.ID]int, error) {
			return e.sections(ctx, items, known)
		})
	}
	return s
}

// Sections are two: external and unconfirmed memories come last.
func (e *Settle) Sections(ctx context.Context, items []*store.Item) (map[memory.ID]int, error) {
	return e.sections(ctx, items, nil)
}

// sections are Sections, of which some ratings are known.
func (e *Settle) sections(
	ctx context.Context, items []*store.Item, known views.Ratings,
) (map[memory.ID]int, error) {
	out := make(map[memory.ID]int)
	rank := func(id memory.ID, v *trust.Rating) {
		if !v.Tainted {
			out[id] = 1
		}
	}
	var others []*store.Item
	for _, it := range items {
		if v := known[it.Ref.ID]; v != nil {
			rank(it.Ref.ID, v)
		} else {
			others = append(others, it)
		}
	}
	if len(others) == 0 {
		return out, nil
	}
	trusted, err := e.trust.Rate(ctx, others, false)
	for id, v := range trusted {
		rank(id, v)
	}
	return out, err
}
