// Package mind is the part of the engine for goals, drives, playbooks, emotions, relationships, identity and entities.
package mind

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/settle"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Mind is that part, for one caller.
type Mind struct {
	*core.Core

	lifecycle *lifecycle.Lifecycle
	recall    *recall.Finder
	settle    *settle.Settle
	trust     *trust.Scores
	views     *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Mind {
	return &Mind{
		Core:      c,
		lifecycle: lifecycle.New(c, s),
		recall:    recall.New(c, s),
		settle:    settle.New(c, s),
		trust:     trust.New(c, s.Scored),
		views:     views.New(c, s),
	}
}
