// Package removal is the part of the engine for taking records and keys out of use: it
// forgets, quarantines and purges memories, and ends the trust in keys.
package removal

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Removal is that part, for one caller.
type Removal struct {
	*core.Core

	keyring *keyring.Keyring
	trust   *trust.Scores
	views   *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Removal {
	return &Removal{
		Core:    c,
		keyring: keyring.New(c, s),
		trust:   trust.New(c, s.Scored),
		views:   views.New(c, s),
	}
}
