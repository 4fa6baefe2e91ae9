// Package lifecycle is the part of the engine for what becomes of memories: made, compared,
// revised, decided on, forgotten, purged.
package lifecycle

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Lifecycle is that part, for one caller.
type Lifecycle struct {
	*core.Core

	keyring *keyring.Keyring
	trust   *trust.Scores
	views   *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Lifecycle {
	return &Lifecycle{
		Core:    c,
		keyring: keyring.New(c, s),
		trust:   trust.New(c, s.Scored),
		views:   views.New(c, s),
	}
}
