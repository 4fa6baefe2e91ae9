// Package mind is the part of the engine for goals, drives, playbooks, emotions, relationships, identity and entities.
package mind

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Mind is that part, for one caller.
type Mind struct {
	*core.Core

	lifecycle *lifecycle.Lifecycle
	recall    *recall.Finder
	receipts  *receipts.Journal
	standing  *standing.Standings
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over the rooms below.
func New(
	l *lifecycle.Lifecycle, f *recall.Finder, j *receipts.Journal, s *standing.Standings, t *trust.Scores, v *views.Views,
) *Mind {
	return &Mind{Core: t.Core, lifecycle: l, recall: f, receipts: j, standing: s, trust: t, views: v}
}
