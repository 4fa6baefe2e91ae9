// Package recall is the part of the engine for questions: search, packs and what they gave.
package recall

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Finder is that part, for one caller.
type Finder struct {
	*core.Core

	intake   *intake.Intake
	receipts *receipts.Journal
	remotes  Remotes
	standing *standing.Standings
	trust    *trust.Scores
	views    *views.Views
}

// Remotes are the places that a store is exchanged with.
type Remotes interface {
	// Named lists them.
	Named(ctx context.Context) (api.RemoteReply, error)
	// KeptBack says in one line what is not exchanged until a person says whose a remote is; "" is nothing.
	KeptBack(ctx context.Context) (string, error)
}

// New returns it over the rooms below.
func New(
	i *intake.Intake, r Remotes, j *receipts.Journal, s *standing.Standings, t *trust.Scores, v *views.Views,
) *Finder {
	return &Finder{Core: t.Core, intake: i, receipts: j, remotes: r, standing: s, trust: t, views: v}
}
