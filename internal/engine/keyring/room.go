// Package keyring is the part of the engine for keys: which key speaks for which person, and
// which key replaced which.
package keyring

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Keyring is that part, for one caller.
type Keyring struct {
	*core.Core

	trust *trust.Scores
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Keyring {
	return &Keyring{
		Core:  c,
		trust: trust.New(c, s.Scored),
	}
}
