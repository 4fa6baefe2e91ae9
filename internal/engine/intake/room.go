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

// New returns it over the rooms below.
func New(l *lifecycle.Lifecycle, t *trust.Scores, v *views.Views) *Intake {
	return &Intake{Core: t.Core, lifecycle: l, trust: t, views: v}
}
