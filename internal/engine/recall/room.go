// Package recall is the part of the engine for questions: search, packs and what they gave.
package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/settle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Finder is that part, for one caller.
type Finder struct {
	*core.Core

	exchange *exchange.Exchange
	receipts *receipts.Journal
	settle   *settle.Settle
	trust    *trust.Scores
	views    *views.Views

	// Below are the rooms that this one is built on, for the rooms above.
	Below Rooms
}

// Rooms are those below this one, for one caller.
type Rooms struct {
	Trust     *trust.Scores
	Receipts  *receipts.Journal
	Views     *views.Views
	Settle    *settle.Settle
	Keyring   *keyring.Keyring
	Lifecycle *lifecycle.Lifecycle
	Intake    *intake.Intake
	Exchange  *exchange.Exchange

	shared *Shared
}

// Shared is what all callers of an opened store share.
type Shared struct {
	Scored trust.Scored
	Noted  receipts.Noted
}

// New returns it over a store and what its callers share, with the rooms below.
func New(c *core.Core, s *Shared) *Finder {
	b := Rooms{shared: s, Trust: trust.New(c, &s.Scored)}
	b.Receipts = receipts.New(&s.Noted, b.Trust)
	b.Views = views.New(b.Receipts, b.Trust)
	b.Settle = settle.New(b.Trust, b.Views)
	b.Keyring = keyring.New(b.Trust)
	b.Lifecycle = lifecycle.New(b.Receipts, b.Settle, b.Trust, b.Views)
	b.Intake = intake.New(b.Lifecycle, b.Receipts, b.Trust, b.Views)
	b.Exchange = exchange.New(b.Intake, b.Keyring, b.Lifecycle, b.Trust, b.Views)
	return &Finder{
		Core: c, exchange: b.Exchange, receipts: b.Receipts, settle: b.Settle, trust: b.Trust, views: b.Views, Below: b,
	}
}
