// Package views is the part of the engine for showing a memory: its view, its trace, its
// evidence, and the receipts of what was shown.
package views

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Views is that part, for one caller.
type Views struct {
	*core.Core
	Decider // nil says nothing

	receipts *receipts.Journal
	trust    *trust.Scores
}

// A Decider says what decisions and open links make of records, as of a time; zero is now. It is in a room above this
// one. Ratings that are known need not be made again.
type Decider interface {
	Decide(rd *trust.Reading, items []*store.Item, known Ratings, at memory.Time) (Decisions, error)
}

// New returns it over the rooms below.
func New(j *receipts.Journal, t *trust.Scores) *Views {
	return &Views{Core: t.Core, receipts: j, trust: t}
}
