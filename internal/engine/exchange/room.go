// Package exchange is the part of the engine for remotes: sending, fetching and requesting
// records.
package exchange

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// Exchange is that part, for one caller.
type Exchange struct {
	*core.Core

	intake    *intake.Intake
	keyring   *keyring.Keyring
	lifecycle *lifecycle.Lifecycle
	trust     *trust.Scores
}

// New returns it over the rooms below.
func New(i *intake.Intake, k *keyring.Keyring, l *lifecycle.Lifecycle, t *trust.Scores) *Exchange {
	return &Exchange{Core: t.Core, intake: i, keyring: k, lifecycle: l, trust: t}
}
