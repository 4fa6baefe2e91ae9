package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// run returns the results in their order. Every reading takes it from here: search, recall, packs, the page and what is
// asked again.
func (s *searching) run(rd *trust.Reading) ([]*standing.Found, error) {
	found, err := s.best(rd)
	return s.newerFirst(found), err
}
