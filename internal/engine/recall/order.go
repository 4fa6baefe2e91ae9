package recall

import (
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
)

// run returns the results in their order. Every reading takes it from here: search, recall, packs, the page and what is
// asked again. What is first does not depend on how many are asked for: what is newer is judged by as many each time.
func (s *searching) run(rd *trust.Reading) ([]*standing.Found, error) {
	asked := s.limit
	wide := asked < leastCompared && s.comparesMatters()
	if wide {
		s.limit = leastCompared
	}
	found, err := s.best(rd)
	if found = s.newerFirst(found); wide {
		s.limit = asked
		found = s.firstPage(found)
	}
	return found, err
}
