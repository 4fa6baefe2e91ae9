package memstore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"iter"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Since returns the log of a space after a position.
func (s *Store) Since(ctx context.Context, space string, after store.Seq, limit int) ([]store.Change, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Change
	for _, e := range s.inSpace[space] {
		if e.seq > after && len(out) < limit {
			out = append(out, store.Change{Seq: e.seq, ID: e.rec.ID})
		}
	}
	return out, ctx.Err()
}

// Spaces lists the logs in the order they began.
func (s *Store) Spaces(ctx context.Context) ([]store.Space, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []store.Space
	for _, name := range s.spaces {
		out = append(out, store.Space{Name: name, Last: store.Seq(len(s.inSpace[name]))})
	}
	return out, ctx.Err()
}

// Stats counts the records.
func (s *Store) Stats(ctx context.Context) (store.Stats, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := store.Stats{
		Records: len(s.log),
		ByKind:  make(map[memory.Kind]int), Live: make(map[memory.Kind]int),
	}
	for _, e := range s.log {
		k := e.rec.Header.Kind
		if e.gone {
			st.Purged++
		}
		st.ByKind[k]++
		state, err := s.stateOf(e)
		if err != nil {
			return st, err
		}
		if k.IsMemory() && state.Live() {
			st.Live[k]++
		}
		if k == memory.KindRaw && s.used(e) {
			st.Processed++
		}
		for _, edge := range s.back(e.rec) {
			st.Edges++
			if s.byID[edge.To] == nil {
				st.Dangling++
			}
		}
	}
	return st, ctx.Err()
}

// Check looks for records that are not what their id says.
func (s *Store) Check(ctx context.Context) iter.Seq[error] {
	return func(yield func(error) bool) {
		s.mu.RLock()
		log := s.log[:len(s.log):len(s.log)]
		s.mu.RUnlock()
		if err := ctx.Err(); err != nil {
			yield(err)
			return
		}
		for _, e := range log {
			if sha256.Sum256(e.rec.Bytes) != e.rec.ID && !yield(fmt.Errorf("%s: %w", e.rec.Ref(), store.ErrDamaged)) {
				return
			}
		}
	}
}
