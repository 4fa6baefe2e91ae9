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

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Folder {
	return &Folder{
		Core:      c,
		intake:    intake.New(c, s),
		lifecycle: lifecycle.New(c, s),
		trust:     trust.New(c, s.Scored),
		views:     views.New(c, s),
	}
}
