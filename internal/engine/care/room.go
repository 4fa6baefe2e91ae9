// Package care is the part of the engine for the care of stores: audit, backup, repair, status.
package care

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/mind"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Care is that part, for one caller.
type Care struct {
	*core.Core

	exchange  *exchange.Exchange
	intake    *intake.Intake
	lifecycle *lifecycle.Lifecycle
	mind      *mind.Mind
	recall    *recall.Finder
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Care {
	return &Care{
		Core:      c,
		exchange:  exchange.New(c, s),
		intake:    intake.New(c, s),
		lifecycle: lifecycle.New(c, s),
		mind:      mind.New(c, s),
		recall:    recall.New(c, s),
		trust:     trust.New(c, s.Scored),
		views:     views.New(c, s),
	}
}
