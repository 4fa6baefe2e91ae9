package memstore

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Get returns items in the order of ids; an absent one is nil.
func (s *Store) Get(ctx context.Context, ids ...memory.ID) ([]*store.Item, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]*store.Item, len(ids))
	for i, id := range ids {
		e := s.byID[id]
		if e == nil {
			continue
		}
		it, err := s.item(e)
		if err != nil {
			return nil, err
		}
		out[i] = it
	}
	return out, ctx.Err()
}

// Resolve returns the records whose id begins with prefix, the smallest id first.
func (s *Store) Resolve(ctx context.Context, kind memory.Kind, prefix string, limit int) ([]memory.Ref, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []memory.Ref
	for _, e := range s.log {
		if strings.HasPrefix(e.rec.ID.String(), prefix) && (kind == "" || kind == e.rec.Header.Kind) {
			out = append(out, e.rec.Ref())
		}
	}
	sorting.By(out, func(a, b memory.Ref) int { return a.ID.Compare(b.ID) })
	return out[:min(limit, len(out))], ctx.Err()
}

// Aliased returns the records of a space by the ids they had elsewhere.
func (s *Store) Aliased(ctx context.Context, space string, aliases ...string) (map[string]memory.ID, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make(map[string]memory.ID)
	for _, alias := range aliases {
		if id, ok := s.aliased(space, alias); ok {
			out[alias] = id
		}
	}
	return out, ctx.Err()
}

// aliased returns the first record of a space that has an alias.
func (s *Store) aliased(space, alias string) (memory.ID, bool) {
	for _, e := range s.inSpace[space] {
		if slices.Contains(e.rec.Header.Alias, alias) {
			return e.rec.ID, true
		}
	}
	return memory.ID{}, false
}

// List returns the records q asks for, as they are when it begins.
func (s *Store) List(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	return func(yield func(*store.Item, error) bool) {
		items, err := s.list(ctx, q)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, it := range items { // outside the lock: who reads may write
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(it, nil) {
				return
			}
		}
	}
}

func (s *Store) list(ctx context.Context, q store.Query) ([]*store.Item, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []*store.Item
	for _, e := range s.log {
		if q.Author != "" && e.rec.Header.Author != q.Author ||
			len(q.Authors) > 0 && !slices.Contains(q.Authors, e.rec.Header.Author) {
			continue
		}
		if q.Session != "" && e.rec.Header.Session != q.Session || q.Unused && s.used(e) || s.tied(e, &q) ||
			q.Mark != "" &&
				!has(e, [][]string{{q.Mark}}) || len(q.Has) > 0 && !has(e, q.Has) {
			continue
		}
		it, err := s.wanted(e, q.Kinds, q.Spaces, q.Hidden)
		if err != nil {
			return nil, err
		}
		if it != nil && (!q.Decided || it.State.Review == state.ReviewApproved) && q.Wants(&it.State) {
			out = append(out, it)
		}
	}
	if !q.Oldest {
		slices.Reverse(out)
	}
	if q.Limit > 0 {
		out = out[:min(q.Limit, len(out))]
	}
	return out, ctx.Err()
}

// wanted returns e as an item if its kind, space and state are asked for.
func (s *Store) wanted(e *entry, kinds []memory.Kind, spaces []string, hidden bool) (*store.Item, error) {
	h := &e.rec.Header
	switch {
	case len(kinds) == 0 && !h.Kind.IsMemory(), len(kinds) > 0 && !slices.Contains(kinds, h.Kind):
		return nil, nil
	case len(spaces) > 0 && !slices.Contains(spaces, h.Space):
		return nil, nil
	}
	it, err := s.item(e)
	if err != nil || !hidden && !it.State.Live() {
		return nil, err
	}
	return it, nil
}

// has reports whether e has one term of each group.
func has(e *entry, groups [][]string) bool {
	if e.gone {
		return false
	}
	terms := index.Describe(0, 0, 0, e.rec).Terms
	for _, group := range groups {
		if !slices.ContainsFunc(terms, func(t index.Term) bool { return slices.Contains(group, t.Text) }) {
			return false
		}
	}
	return true
}

// used reports whether a memory that was derived from a record is shown, or one that took its place. It goes by
// what was kept of each: a claim that came due since counts at the next write.
func (s *Store) used(e *entry) bool {
	seen := map[memory.ID]bool{e.rec.ID: true}
	for next, rel := []memory.ID{e.rec.ID}, graph.DerivedFrom; len(next) > 0; rel = graph.Supersedes {
		var later []memory.ID
		for _, id := range next {
			for _, edge := range s.forward(id) {
				if !s.goesOn(edge, rel) || seen[edge.From] {
					continue
				}
				if made := s.byID[edge.From]; made != nil && (made.state == nil || made.state.Live()) {
					return true
				}
				seen[edge.From] = true
				later = append(later, edge.From)
			}
		}
		next = later
	}
	return false
}

// goesOn reports whether an arrow leads to what was made of a record, or to what took the place of a memory: to the
// revision of an undo it does from what that says again.
func (s *Store) goesOn(edge graph.Edge, rel graph.Relation) bool {
	if by := s.byID[edge.From]; by != nil && rel == graph.Supersedes {
		if was, is := store.Restores(by.rec); is {
			return edge.Rel == graph.DerivedFrom && edge.To == was
		}
	}
	return edge.Rel == rel
}

// tied reports whether a mark of the verb that q names ties a record to its first one, which is shown.
func (s *Store) tied(e *entry, q *store.Query) bool {
	return q.Untied != "" && slices.ContainsFunc(s.forward(e.rec.ID), func(edge graph.Edge) bool {
		by := s.byID[edge.From]
		if by == nil || edge.Rel != graph.Speaks || len(q.Authors) > 0 && !slices.Contains(q.Authors, by.rec.Header.Author) {
			return false
		}
		m, is := by.rec.Body.(*memory.Mark)
		if !is || m.Verb != q.Untied || m.Of == nil || m.Of.ID == e.rec.ID {
			return false
		}
		of := s.byID[m.Of.ID]
		return of != nil && (of.state == nil || of.state.Live())
	})
}

// Edges returns the edges that leave or reach any of ids.
func (s *Store) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []graph.Edge
	for i, id := range ids {
		switch e := s.byID[id]; {
		case slices.Contains(ids[:i], id):
		case dir == graph.Forward:
			out = append(out, s.forward(id)...)
		case e != nil:
			out = append(out, s.back(e.rec)...)
		}
	}
	return out, ctx.Err()
}
