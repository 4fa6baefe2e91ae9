// Package folder is the part of the engine that keeps memories as a folder of Markdown: one
// file for each, written out, edited by people and read in again.
package folder

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Folder is that part, for one caller.
type Folder struct {
	*core.Core

	intake    *intake.Intake
	lifecycle *lifecycle.Lifecycle
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over the rooms below.
func New(i *intake.Intake, l *lifecycle.Lifecycle, t *trust.Scores, v *views.Views) *Folder {
	return &Folder{Core: t.Core, intake: i, lifecycle: l, trust: t, views: v}
}
