package memstore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Match makes the index of everything again for each question: one segment for
// each space, in which the key of a record is its place in all.
func (s *Store) Match(ctx context.Context, m store.Match) ([]store.Hit, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	terms := index.Askable(m.Terms)
	if len(terms) == 0 {
		return nil, ctx.Err()
	}
	var all []*entry
	for _, space := range s.spaces {
		if len(m.Spaces) == 0 || slices.Contains(m.Spaces, space) {
			all = append(all, s.inSpace[space]...)
		}
	}
	only, err := s.decided(all, m.Decided)
	if err != nil || m.Decided && len(only) == 0 {
		return nil, err
	}
	var views []*index.View
	var kinds []memory.Kind
	var at int64 // of an entry in all
	for no, space := range s.spaces {
		if len(m.Spaces) > 0 && !slices.Contains(m.Spaces, space) {
			continue
		}
		var in []index.Entry
		for _, e := range s.inSpace[space] {
			kind := slices.Index(kinds, e.rec.Header.Kind)
			if kind < 0 {
				kind, kinds = len(kinds), append(kinds, e.rec.Header.Kind)
			}
			if !e.gone { // else its words are kept by nothing
				if d := e.described(at, kind); len(d.Terms) > 0 {
					in = append(in, d)
				}
			}
			at++
		}
		v, err := index.Of(no, in, index.Wanted(terms, m.Prefer, m.Has...))
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	hits, err := index.Search(views, index.Query{
		Terms: terms, Prefer: m.Prefer, Has: m.Has, Only: only, Limit: m.Limit, Passed: m.Passed,
		Kind: func(k int) bool {
			return slices.Contains(m.Kinds, kinds[k]) || len(m.Kinds) == 0 && kinds[k].IsMemory()
		},
		Propagates: func(k int) bool { return kinds[k].IsMemory() },
		Shown:      func(keys []int64) ([]bool, error) { return s.shownOf(all, keys, m.Hidden) },
	})
	if err != nil {
		return nil, err
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return len(h.Has(terms)) < m.Least })
	out := make([]store.Hit, len(hits))
	for i, h := range hits {
		out[i] = store.Hit{
			ID: all[h.Key].rec.ID, Score: h.Score, Own: h.Own, Propagated: h.Propagated, Session: h.Session,
			Terms: h.Has(terms), Kind: kinds[h.Kind], Past: h.Past, Hidden: h.Hidden,
		}
	}
	return out, ctx.Err()
}

// decided returns the places of the records that a person approved; nil is not asked for.
func (s *Store) decided(all []*entry, asked bool) ([]int64, error) {
	var out []int64
	for i, e := range all {
		if !asked {
			break
		}
		now, err := s.stateOf(e)
		if err != nil {
			return nil, err
		}
		if now.Review == state.ReviewApproved {
			out = append(out, int64(i))
		}
	}
	return out, nil
}

// shownOf returns for each record whether it may be shown.
func (s *Store) shownOf(all []*entry, keys []int64, hidden bool) ([]bool, error) {
	out := make([]bool, len(keys))
	for i, key := range keys {
		state, err := s.stateOf(all[key])
		if err != nil {
			return nil, err
		}
		out[i] = hidden || state.Live()
	}
	return out, nil
}

// described returns what the index knows of a record, which stays as it is, at a place among all.
func (e *entry) described(at int64, kind int) index.Entry {
	known := e.words.Load()
	if known == nil {
		d := index.Describe(at, kind, sessionNumber(e), e.rec)
		known = &d
		e.words.Store(known)
	}
	d := *known
	d.Key, d.Kind = at, kind
	return d
}

// sessionNumber numbers sessions as the index does; 0 is none.
func sessionNumber(e *entry) uint64 {
	if e.rec.Header.Session == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(e.rec.Header.Session))
	return binary.BigEndian.Uint64(sum[:])
}
