// Package recall is the part of the engine for questions: search, packs and what they gave.
package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/settle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Finder is that part, for one caller.
type Finder struct {
	*core.Core

	exchange *exchange.Exchange
	settle   *settle.Settle
	trust    *trust.Scores
	views    *views.Views
	shared   *views.Shared
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Finder {
	return &Finder{
		Core:     c,
		exchange: exchange.New(c, s),
		settle:   settle.New(c, s),
		trust:    trust.New(c, s.Scored),
		views:    views.New(c, s),
		shared:   s,
	}
}
