// Package exchange is the part of the engine for remotes: sending, fetching and requesting
// records.
package exchange

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Exchange is that part, for one caller.
type Exchange struct {
	*core.Core

	intake    *intake.Intake
	keyring   *keyring.Keyring
	lifecycle *lifecycle.Lifecycle
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Exchange {
	return &Exchange{
		Core:      c,
		intake:    intake.New(c, s),
		keyring:   keyring.New(c, s),
		lifecycle: lifecycle.New(c, s),
		trust:     trust.New(c, s.Scored),
		views:     views.New(c, s),
	}
}
