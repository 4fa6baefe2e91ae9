// Package views is the part of the engine for what is shown of a memory: its view, its trace, its evidence, and the receipts of what was given.
package views

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// Shared is what the voices of one opened store share.
type Shared struct {
	Scored *trust.Scored
	Noted  *Noted
}

// NewShared returns what the voices of a store that was just opened share.
func NewShared() *Shared { return &Shared{&trust.Scored{}, &Noted{}} }

// Views is that part, for one caller.
type Views struct {
	*core.Core
	*Noted

	trust *trust.Scores
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *Shared) *Views { return &Views{c, s.Noted, trust.New(c, s.Scored)} }
