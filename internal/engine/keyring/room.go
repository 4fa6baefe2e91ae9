// Package keyring is the part of the engine for keys: which key speaks for which person, and
// which key replaced which.
package keyring

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// Keyring is that part, for one caller.
type Keyring struct {
	*core.Core

	trust *trust.Scores
}

// New returns it over the rooms below.
func New(t *trust.Scores) *Keyring { return &Keyring{Core: t.Core, trust: t} }
