package memstore

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// Vectors returns every vector kept for a model.
func (s *Store) Vectors(ctx context.Context, model string) iter.Seq2[store.Vector, error] {
	return func(yield func(store.Vector, error) bool) {
		if err := s.bring(ctx, model); err != nil {
			yield(store.Vector{}, err)
			return
		}
		s.mu.RLock()
		kept := maps.Clone(s.vectors[model])
		s.mu.RUnlock()
		if err := ctx.Err(); err != nil {
			yield(store.Vector{}, err)
			return
		}
		for id, vec := range kept {
			if !yield(store.Vector{ID: id, Vec: slices.Clone(vec)}, nil) {
				return
			}
		}
	}
}

// PutVectors keeps vectors, in place of older ones. All of a model have one
// length.
func (s *Store) PutVectors(ctx context.Context, model string, vs ...store.Vector) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	dims := 0
	for _, v := range s.vectors[model] {
		dims = len(v)
	}
	for _, v := range vs {
		if dims == 0 {
			dims = len(v.Vec)
		}
		if len(v.Vec) == 0 || len(v.Vec) != dims {
			return fmt.Errorf(
				"put vectors: those of model %q have %d numbers, but that of %s has %d", model, dims,
				v.ID.Short(), len(v.Vec),
			)
		}
		for _, f := range v.Vec {
			if f != f || math.IsInf(float64(f), 0) {
				return fmt.Errorf("put vectors: that of %s is not of numbers", v.ID.Short())
			}
		}
	}
	if s.vectors[model] == nil {
		s.vectors[model] = make(map[memory.ID][]float32)
	}
	for _, v := range vs {
		if e := s.byID[v.ID]; e != nil && !e.gone {
			s.vectors[model][v.ID] = slices.Clone(v.Vec)
		}
	}
	return nil
}

// Touch counts one reading of each record that is held.
func (s *Store) Touch(ctx context.Context, at time.Time, ids ...memory.ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, id := range ids {
		if s.byID[id] == nil {
			continue
		}
		u := s.usage[id]
		u.Times++
		if at.After(u.Last) {
			u.Last = memory.At(at).Time()
		}
		s.usage[id] = u
	}
	return nil
}

// Used says how often each record was read.
func (s *Store) Used(ctx context.Context, ids ...memory.ID) ([]store.Usage, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]store.Usage, len(ids))
	for i, id := range ids {
		out[i] = s.usage[id]
	}
	return out, ctx.Err()
}

// Cursor returns a remembered position, 0 at first.
func (s *Store) Cursor(ctx context.Context, name string) (store.Seq, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.cursors[name], ctx.Err()
}

// SetCursor remembers a position.
func (s *Store) SetCursor(ctx context.Context, name string, at store.Seq) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.cursors[name] = at
	return nil
}

// Nearest compares with every vector. One of zeros is near nothing.
func (s *Store) Nearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	if err := s.bring(ctx, n.Model); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var hits []store.Hit
	for _, e := range slices.Backward(s.log) { // the newest first, and the sort is stable
		v := s.vectors[n.Model][e.rec.ID]
		if v == nil || e.gone || len(v) != len(n.Vec) || zero(v) || zero(n.Vec) {
			continue
		}
		it, err := s.wanted(e, n.Kinds, n.Spaces, n.Hidden)
		if err != nil {
			return nil, err
		}
		if it == nil {
			continue
		}
		hits = append(hits, store.Hit{ID: e.rec.ID, Score: float64(vec.Cosine(n.Vec, v)), Kind: e.rec.Header.Kind})
	}
	sorting.By(hits, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(max(n.Limit, 1), len(hits))], ctx.Err()
}

func zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(f float32) bool { return f != 0 })
}
