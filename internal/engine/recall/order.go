package recall

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/views"
)

// run returns the results in their order. Every reading takes it from here: search, recall, packs, the page and what is
// asked again.
func (s *searching) run(ctx context.Context) ([]*views.Found, error) {
	found, err := s.best(ctx)
	return s.newerFirst(found), err
}
