// Package standing is the part of the engine that says how records stand, for everything that
// reads: what decisions, links and later words make of them, and whose decision they wait for.
package standing

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Standings is that part, for one caller.
type Standings struct {
	*core.Core

	receipts *receipts.Journal
	trust    *trust.Scores
}

// New returns it over the rooms below.
func New(j *receipts.Journal, t *trust.Scores) *Standings {
	return &Standings{Core: t.Core, receipts: j, trust: t}
}

// Sections are two: external and unconfirmed memories come last.
func (e *Standings) Sections(rd *trust.Reading, items []*store.Item) (map[memory.ID]int, error) {
	return e.sections(rd, items, nil)
}

// sections are Sections, of which some ratings are known.
func (e *Standings) sections(
	rd *trust.Reading, items []*store.Item, known Ratings,
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
