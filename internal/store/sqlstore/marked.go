package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// tiedKeys are those of the records that derivations leave or reach.
const tiedKeys = "SELECT src FROM edges WHERE rel = 1 UNION SELECT dst FROM edges WHERE rel = 1 ORDER BY 1"

// marked returns the records that have a mark and one term of each group, and what else can be found without
// going through the log, as one source, like logs. Only rows that are given are read. is reports whether that is so.
func (s *Store) marked(ctx context.Context, q store.Query) (all source, is bool, err error) {
	groups := q.Has
	if q.Mark != "" {
		groups = append(slices.Clip(groups), []string{q.Mark})
	}
	asked := len(groups) > 0 // of every version of the index
	var approved []int64
	if q.Decided {
		spaces, kinds, err := s.numbers(ctx, q.Spaces, q.Kinds)
		if err != nil || len(spaces) == 0 || len(kinds) == 0 {
			return &merge{}, true, err
		}
		if approved, _, err = s.decidedIn(ctx, spaces); err != nil || len(approved) == 0 || !asked {
			return s.picks(q, spaces, kinds, approved), true, err
		}
	}
	if q.Named {
		groups = append(slices.Clip(groups), []string{index.NamedMark})
	}
	if q.Here && len(q.Kinds) > 0 && !slices.Contains(q.Kinds, memory.KindRaw) {
		var here []string
		for _, k := range q.Kinds {
			here = append(here, index.HereMark(k))
		}
		groups = append(slices.Clip(groups), here)
	}
	unsure := len(groups) == 0 && 0 < q.Below && q.Below <= index.Usual
	if unsure {
		groups = [][]string{{index.UnsureMark}}
	}
	if len(groups) == 0 && !q.Replaces && !q.Tied {
		return nil, false, nil
	}
	spaces, kinds, err := s.scope(ctx, q.Spaces, q.Kinds)
	if err != nil && !asked {
		return nil, false, nil // more spaces than the index takes at once
	}
	if err != nil || len(spaces) == 0 || len(kinds) == 0 {
		return &merge{}, true, err
	}
	if !asked && slices.ContainsFunc(kinds, func(k int) bool { return k > lists.LastMemory }) {
		return nil, false, nil
	}
	var keys []int64
	switch {
	case len(groups) == 0 && q.Tied:
		keys, err = s.keys(ctx, tiedKeys)
	case len(groups) == 0:
		keys, err = s.keys(ctx, "SELECT DISTINCT src FROM edges WHERE rel = 2 ORDER BY src")
	default:
		var aged bool
		if keys, aged, err = s.having(ctx, spaces, groups); aged && !asked {
			s.renewOne(ctx)
			return nil, false, err
		}
	}
	if err == nil && unsure { // and those of which something was said
		var said []int64
		said, err = s.keys(ctx, "SELECT key FROM state WHERE fold IS NOT NULL OR due <= ?", s.now().UnixMilli())
		keys = append(keys, said...)
		slices.Sort(keys)
		keys = slices.Compact(keys)
	}
	if q.Decided {
		keys = shared(approved, keys)
	}
	return s.picks(q, spaces, kinds, keys), true, err
}

// having returns the keys of the records that have one term of each group, in their order. aged reports whether a
// segment is of an older version, which did not make all marks.
func (s *Store) having(ctx context.Context, spaces []int, groups [][]string) (keys []int64, aged bool, err error) {
	if err := s.catchUp(ctx, spaces); err != nil {
		return nil, false, err
	}
	terms := slices.Concat(groups...)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	var views []*index.View
	for try := 0; ; try++ {
		views, err = s.views(ctx, spaces, terms)
		if !errors.Is(err, errGone) || try == mostMerges {
			break
		}
		s.moments.forget()
	}
	if err != nil {
		return nil, false, err
	}
	for _, v := range views {
		some, err := v.Having(groups)
		if err != nil {
			return nil, false, err
		}
		keys, aged = append(keys, some...), aged || v.Aged
	}
	return keys, aged, nil
}

// keys reads the keys that a query gives.
func (s *Store) keys(ctx context.Context, query string, args ...any) (keys []int64, err error) {
	err = s.read.Each(ctx, func(rows *sql.Rows) error {
		var k int64
		err := rows.Scan(&k)
		keys = append(keys, k)
		return err
	}, query, args...)
	return keys, err
}

// picks returns the records of some keys as one source.
func (s *Store) picks(q store.Query, spaces, kinds []int, keys []int64) source {
	bySpace := make(map[int64][]int64)
	for _, k := range keys {
		bySpace[k>>session.SeqBits] = append(bySpace[k>>session.SeqBits], k)
	}
	sign := -1
	if q.Oldest {
		sign = 1
	}
	byTime := &merge{before: func(a, b *row) bool { return sign*cmpTime(a, b) < 0 }}
	for _, space := range spaces {
		keys := bySpace[int64(space)]
		if !q.Oldest {
			slices.Reverse(keys)
		}
		byTime.from = append(byTime.from, &picked{s: s, q: q, kinds: kinds, keys: keys, size: firstPage})
	}
	return byTime
}

// picked reads the rows of some keys of one space, in their order.
type picked struct {
	s     *Store
	q     store.Query
	kinds []int
	keys  []int64
	size  int
	page  []*row
}

// next returns the next row, nil at the end.
func (p *picked) next(ctx context.Context) (*row, error) {
	for len(p.page) == 0 && len(p.keys) > 0 {
		part := p.keys[:min(p.size, len(p.keys))]
		p.keys, p.size = p.keys[len(part):], laterPage
		query, args := session.SpreadFor(itemColumns+itemTables+"WHERE r.key IN (…) ", part, func(k int64) any { return k })
		query, args = p.s.asked(p.q, query, args)
		query, args = p.s.saying(p.q, query, args)
		if p.q.Oldest {
			query += "ORDER BY r.key"
		} else {
			query += "ORDER BY r.key DESC"
		}
		page, err := p.s.items(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		p.page = slices.DeleteFunc(page, func(r *row) bool { return !lists.AsksFor(p.kinds, r.kind) })
	}
	if len(p.page) == 0 {
		return nil, nil
	}
	r := p.page[0]
	p.page = p.page[1:]
	return r, nil
}
