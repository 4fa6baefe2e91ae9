package recall

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/llm"
)

// anyMarked reports whether there is a record that has the marks.
func (s *searching) anyMarked(rd *trust.Reading, spaces []string) (bool, error) {
	q := store.Query{Spaces: spaces, Kinds: s.kinds, Has: s.has, Hidden: true, Limit: 1}
	for _, err := range s.e.Store.List(rd, q) {
		return err == nil, err
	}
	return false, nil
}

// pool is how many matches a search looks at to begin with.
func (s *searching) pool() int { return max(poolSize, 2*s.limit) }

// matches returns the matches of words. Where they are asked to have marks, the best without them still set the
// measure and propagate, and come after.
func (s *searching) matches(rd *trust.Reading, m store.Match) (hits []store.Hit, full bool, err error) {
	hits, err = s.e.Store.Match(rd, m)
	shown := 0
	for i := range hits {
		if !hits[i].Hidden {
			shown++
		}
	}
	full = shown == m.Limit
	if err != nil || m.Has == nil {
		return hits, full, err
	}
	m.Has, m.Limit = nil, s.pool()
	best, err := s.e.Store.Match(rd, m)
	return append(hits, best...), full, err
}

// vector returns the vector of the question, nil where there is no embedder or it
// does not answer: then words alone must do, and one warning says so.
func (s *searching) vector(rd *trust.Reading) []float32 {
	em := s.e.C.Embedder
	if em == nil {
		return nil
	}
	vecs, err := em.Embed(rd, llm.Query, s.in.Query)
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
