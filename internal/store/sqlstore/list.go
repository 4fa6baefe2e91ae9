package sqlstore

import (
	"context"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
)

// readList is List on the database itself, without the fallback.
func (s *Store) readList(ctx context.Context, q store.Query) iter.Seq2[*store.Item, error] {
	return s.listAt(ctx, q, func(yield func(*store.Item, error) bool) {
		given := 0
		err := s.list(ctx, q, func(it *store.Item) bool {
			given++
			return yield(it, nil) && (q.Limit <= 0 || given < q.Limit)
		})
		if err != nil {
			yield(nil, s.failed("list", err))
		}
	})
}

func (s *Store) list(ctx context.Context, q store.Query, give func(*store.Item) bool) error {
	m := s.moment(ctx)
	all, err := s.source(ctx, q)
	if err != nil {
		return err
	}
	for {
		r, err := all.next(ctx)
		if err != nil || r == nil {
			return err
		}
		it, err := s.itemAt(ctx, m, r)
		if err != nil {
			return err
		}
		if !q.Hidden && !it.State.Live() {
			continue // it came due
		}
		if q.Session != "" && it.Record != nil && it.Record.Header.Session != q.Session {
			continue
		}
		if !give(it) {
			return nil
		}
	}
}

func (s *Store) source(ctx context.Context, q store.Query) (source, error) {
	if q.Author != "" {
		no, err := s.names.number(ctx, s.read, authorList, q.Author)
		if err != nil || no == 0 {
			return &merge{}, err
		}
	}
	if all, is, err := s.marked(ctx, q); is || err != nil {
		return all, err
	}
	return s.logs(ctx, s.read, q)
}

// logs returns what q asks for as one source: for each space its kinds merged by
// their place in the log, and the spaces merged by time.
func (s *Store) logs(ctx context.Context, on *session, q store.Query) (source, error) {
	kinds, err := s.kindsOf(ctx, on, q.Kinds)
	if err != nil {
		return nil, err
	}
	spaces, err := s.readSpaces(ctx)
	if err != nil {
		return nil, err
	}
	sign := -1
	if q.Oldest {
		sign = 1
	}
	byTime := &merge{before: func(a, b *row) bool { return sign*cmpTime(a, b) < 0 }}
	for _, sp := range spaces {
		if len(q.Spaces) > 0 && !slices.Contains(q.Spaces, sp.Name) {
			continue
		}
		no, err := s.names.number(ctx, on, spaceList, sp.Name)
		if err != nil {
			return nil, err
		}
		byPlace := &merge{before: func(a, b *row) bool { return (a.key < b.key) == q.Oldest }}
		for _, k := range kinds {
			byPlace.from = append(byPlace.from, &pages{
				s: s, q: q, kind: k, after: firstKey(no), before: firstKey(no + 1), size: firstPage,
			})
		}
		byTime.from = append(byTime.from, byPlace)
	}
	return byTime, nil
}
