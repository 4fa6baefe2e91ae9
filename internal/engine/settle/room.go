// Package settle is the part of the engine that says what decisions and later words make of
// memories and of the words they come from, for everything that reads.
package settle

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Settle is that part, for one caller.
type Settle struct {
	*core.Core

	views *views.Views
}

// New returns it over a store and what its callers share.
func New(c *core.Core, s *views.Shared) *Settle {
	return &Settle{Core: c, views: views.New(c, s)}
}
