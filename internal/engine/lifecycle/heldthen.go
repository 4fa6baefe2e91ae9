package lifecycle

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
)

// heldThen gives the memory of a chain that held when it is asked for; nil where
// what is current is asked for.
func (s *settling) heldThen(c core.Chain) *store.Item {
	if s.validAt.IsZero() {
		return nil
	}
	it, _ := c.HeldAt(s.validAt.Time)
	return it
}
