// Package attest is the part of the engine that says on what a change of code rests: which sessions of agents wrote it,
// and which memories those had been given.
package attest

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Attest is that part, for one caller.
type Attest struct {
	*core.Core

	receipts *receipts.Journal
	trust    *trust.Scores
	views    *views.Views
}

// New returns it over the rooms below.
func New(r *receipts.Journal, t *trust.Scores, v *views.Views) *Attest {
	return &Attest{Core: t.Core, receipts: r, trust: t, views: v}
}
