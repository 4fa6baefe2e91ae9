// Package care is the part of the engine for the care of stores: audit, backup, repair, status.
package care

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/mind"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
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
	receipts  *receipts.Journal
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over the rooms below.
func New(f *recall.Finder, m *mind.Mind) *Care {
	b := f.Below
	return &Care{
		Core: f.Core, exchange: b.Exchange, intake: b.Intake, lifecycle: b.Lifecycle, mind: m, recall: f,
		receipts: b.Receipts,
		trust:    b.Trust, views: b.Views,
	}
}

// bare returns it over a store that no engine has.
func bare(c *core.Core) *Care {
	f := recall.New(c, &recall.Shared{})
	return New(f, mind.New(f))
}
