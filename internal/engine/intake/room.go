// Package intake is the part of the engine for what comes in and goes out as files: exports,
// imports, documents, Markdown, logs.
package intake

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Intake is that part, for one caller.
type Intake struct {
	*core.Core

	lifecycle *lifecycle.Lifecycle
	receipts  *receipts.Journal
	standing  *standing.Standings
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over the rooms below.
func New(
	l *lifecycle.Lifecycle, j *receipts.Journal, s *standing.Standings, t *trust.Scores, v *views.Views,
) *Intake {
	return &Intake{Core: t.Core, lifecycle: l, receipts: j, standing: s, trust: t, views: v}
}
