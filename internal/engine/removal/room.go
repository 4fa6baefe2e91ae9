// Package removal is the part of the engine for taking records and keys out of use: it
// forgets, quarantines and purges memories, and ends the trust in keys.
package removal

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Removal is that part, for one caller.
type Removal struct {
	*core.Core

	keyring  *keyring.Keyring
	standing *standing.Standings
	trust    *trust.Scores
	views    *views.Views
}

// New returns it over the rooms below.
func New(k *keyring.Keyring, s *standing.Standings, t *trust.Scores, v *views.Views) *Removal {
	return &Removal{Core: t.Core, keyring: k, standing: s, trust: t, views: v}
}
