// Package trust is the part of the engine for how far a memory can be relied on: witnesses, anchors, scores.
package trust

import "github.com/stemma-memory/stemma/internal/engine/core"

// Scores is that part, for one caller.
type Scores struct {
	*core.Core
	*Scored
}

// New returns it over a store and the scores that its callers share.
func New(c *core.Core, s *Scored) *Scores { return &Scores{Core: c, Scored: s} }
