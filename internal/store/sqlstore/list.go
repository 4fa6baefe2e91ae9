package sqlstore

import (
	"context"
	"database/sql"
	"iter"
	"slices"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
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
			yield(nil, s.Failed("list", err))
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
		m.readAt(r.id, r.key)
		if !q.Hidden && !it.State.Live() {
			continue // it came due
		}
		if q.Decided && it.State.Review != state.ReviewApproved || !q.Wants(&it.State) {
			continue // so did this
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
		no, err := s.names.Number(ctx, s.read, lists.Authors, q.Author)
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
func (s *Store) logs(ctx context.Context, on *session.Session, q store.Query) (source, error) {
	kinds, err := s.names.KindsOf(ctx, on, q.Kinds)
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
		no, err := s.names.Number(ctx, on, lists.Spaces, sp.Name)
		if err != nil {
			return nil, err
		}
		if s.d == session.SQLite && len(kinds) > 1 && keysSay(q) {
			byTime.from = append(byTime.from, &chosen{
				picked: picked{s: s, q: q, kinds: kinds}, on: on, after: session.FirstKey(no), before: session.FirstKey(no + 1),
				most: firstPage,
			})
			continue
		}
		byPlace := &merge{before: func(a, b *row) bool { return (a.key < b.key) == q.Oldest }}
		for _, k := range kinds {
			byPlace.from = append(byPlace.from, &pages{
				s: s, q: q, kind: k, after: session.FirstKey(no), before: session.FirstKey(no + 1), size: firstPage,
			})
		}
		byTime.from = append(byTime.from, byPlace)
	}
	return byTime, nil
}

// keysSay reports whether the kind of a record and its place say whether a list has it, but for what is hidden.
func keysSay(q store.Query) bool {
	if len(q.Authors) > 0 || q.Open || q.Done || q.Untied != "" || len(q.But) > 0 {
		return false
	}
	return q.Author == "" && q.Session == "" && q.Says == "" && q.Below == 0 && q.After.IsZero() && !q.Unused && !q.Here &&
		!q.Named
}

// chosen reads the rows of several kinds of one space in their order. It finds their keys in the index of kinds
// first, so that of each kind only rows are read that come next in the order of all.
type chosen struct {
	picked
	on            *session.Session
	after, before int64 // keys still to be found lie between
	most          int   // how many are found at a time
	ended         bool
}

// next returns the next row, nil at the end.
func (c *chosen) next(ctx context.Context) (*row, error) {
	for {
		if r, err := c.picked.next(ctx); r != nil || err != nil || c.ended {
			return r, err
		}
		if err := c.find(ctx); err != nil {
			return nil, err
		}
	}
}

// find finds the keys that come next.
func (c *chosen) find(ctx context.Context) error {
	if c.q.Few > 0 && c.most == firstPage {
		c.most = min(c.q.Few, laterPage)
	}
	if c.q.Limit > 0 {
		c.most = min(c.most, c.q.Limit)
	}
	query := "SELECT r.key FROM records r " + ofKind + inRange
	if c.q.Oldest {
		query += oldestFirst
	} else {
		query += newestFirst
	}
	var keys []int64
	for _, kind := range c.kinds {
		err := c.on.Each(ctx, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			keys = append(keys, key)
			return err
		}, query, kind, c.after, c.before, c.most)
		if err != nil {
			return err
		}
	}
	slices.Sort(keys)
	if !c.q.Oldest {
		slices.Reverse(keys)
	}
	c.ended = len(keys) < c.most
	c.keys = keys[:min(c.most, len(keys))]
	c.size, c.most = len(c.keys), laterPage
	if n := len(c.keys); n > 0 && c.q.Oldest {
		c.after = c.keys[n-1]
	} else if n > 0 {
		c.before = c.keys[n-1]
	}
	return nil
}
