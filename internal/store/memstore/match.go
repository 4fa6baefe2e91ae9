package memstore

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
)

// The usual constants of BM25: how soon repetition stops counting, and how
// much a long text is held against a record.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// Match scores every record that is asked for by BM25.
func (s *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var hits []store.Hit
	weigh := s.weights(m.Terms)
	for _, e := range slices.Backward(s.log) { // the newest first, and the sort is stable
		score := weigh(e)
		if score == 0 {
			continue
		}
		it, err := s.wanted(e, m.Kinds, m.Spaces, m.Hidden)
		if err != nil {
			return nil, err
		}
		if it != nil {
			hits = append(hits, store.Hit{ID: e.rec.ID, Score: score})
		}
	}
	slices.SortStableFunc(hits, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
	if m.Limit > 0 {
		hits = hits[:min(m.Limit, len(hits))]
	}
	return hits, ctx.Err()
}

// weights gives the function that scores a record for terms; 0 is no hit.
func (s *Store) weights(terms []string) func(*entry) float64 {
	terms = slices.Compact(slices.Sorted(slices.Values(terms)))
	total, with := 0, make(map[string]int)
	for _, e := range s.log {
		total += len(e.terms)
		for _, t := range terms {
			if slices.Contains(e.terms, t) {
				with[t]++
			}
		}
	}
	n, mean := float64(len(s.log)), float64(total)/float64(max(len(s.log), 1))
	return func(e *entry) float64 {
		count := make(map[string]int)
		for _, t := range e.terms {
			count[t]++
		}
		score := 0.0
		for _, t := range terms {
			df, tf := float64(with[t]), float64(count[t])
			if tf > 0 {
				rare := math.Log1p((n - df + 0.5) / (df + 0.5))
				score += rare * tf * (bm25K + 1) / (tf + bm25K*(1-bm25B+bm25B*float64(len(e.terms))/mean))
			}
		}
		return score
	}
}
