package engine

import (
	"github.com/stemma-memory/stemma/internal/engine/care"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
)

// Over returns an engine over a store that is open already, such as the part of a hub
// that somebody may read. It is not closed with the engine's own means: Close closes it.
func Over(s store.Store, c core.Config) *Engine {
	c.Fill()
	return assemble(&core.Core{Common: &core.Common{}, Store: s, C: c}, care.NewShared())
}
