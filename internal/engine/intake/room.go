// Package intake is the part of the engine for what comes in and goes out as files: exports,
// imports, documents, Markdown, logs.
package intake

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Intake is that part, for one caller.
type Intake struct {
	*core.Core

	lifecycle *lifecycle.Lifecycle
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Intake {
	return &Intake{
		Core:      c,
		lifecycle: lifecycle.New(c, s),
		trust:     trust.New(c, s.Scored),
		views:     views.New(c, s),
	}
}
