package recall

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/llm"
)

// vector returns the vector of the question, nil where there is no embedder or it
// does not answer: then words alone must do, and one warning says so.
func (s *searching) vector(ctx context.Context) []float32 {
	em := s.e.C.Embedder
	if em == nil {
		return nil
	}
	vecs, err := em.Embed(ctx, llm.Query, s.in.Query)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.warnings = append(s.warnings, "searched by words alone: "+core.OneLine(err))
		}
		return nil
	}
	if len(vecs) != 1 || vecs[0] == nil {
		return nil // nothing in the question that the model knows
	}
	s.embedder = em.Model()
	return vecs[0]
}
