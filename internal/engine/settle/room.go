// Package settle is the part of the engine that says what decisions and later words make of
// memories and of the words they come from, for everything that reads.
package settle

import (
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

// New returns it over the rooms below, which ask it for decisions.
func New(t *trust.Scores, v *views.Views) *Settle {
	e := &Settle{Core: t.Core, trust: t, views: v}
	v.Decider = e
	return e
}

// Sections are two: external and unconfirmed memories come last.
func (e *Settle) Sections(rd *trust.Reading, items []*store.Item) (map[memory.ID]int, error) {
	return e.sections(rd, items, nil)
}

// sections are Sections, of which some ratings are known.
func (e *Settle) sections(
	rd *trust.Reading, items []*store.Item, known views.Ratings,
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
	trusted, err := e.trust.Rate(rd, others, false)
	for id, v := range trusted {
		rank(id, v)
	}
	return out, err
}
