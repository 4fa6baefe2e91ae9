// Package views is the part of the engine for showing a memory: its view, its trace, its
// evidence, and the receipts of what was shown.
package views

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// Views is that part, for one caller.
type Views struct {
	*core.Core

	receipts *receipts.Journal
	standing *standing.Standings
	trust    *trust.Scores
}

// New returns it over the rooms below.
func New(j *receipts.Journal, s *standing.Standings, t *trust.Scores) *Views {
	return &Views{Core: t.Core, receipts: j, standing: s, trust: t}
}
