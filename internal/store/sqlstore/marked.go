package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
)

// marked returns the records that have a mark and one term of each group as one source, like logs. Which
// these are the index says: only rows that are given are read.
func (s *Store) marked(ctx context.Context, q store.Query) (source, error) {
	spaces, kinds, err := s.scope(ctx, q.Spaces, q.Kinds)
	if err != nil || len(spaces) == 0 || len(kinds) == 0 {
		return &merge{}, err
	}
	if err := s.catchUp(ctx, spaces); err != nil {
		return nil, err
	}
	groups := q.Has
	if q.Mark != "" {
		groups = append(slices.Clip(groups), []string{q.Mark})
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
		return nil, err
	}
	bySpace := make(map[int64][]int64)
	for _, v := range views {
		keys, err := v.Having(groups)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			bySpace[k>>seqBits] = append(bySpace[k>>seqBits], k)
		}
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
		byTime.from = append(byTime.from, &picked{s: s, q: q, kinds: kinds, keys: keys})
	}
	return byTime, nil
}

// picked reads the rows of some keys of one space, in their order.
type picked struct {
	s     *Store
	q     store.Query
	kinds []int
	keys  []int64
	page  []*row
}

// next returns the next row, nil at the end.
func (p *picked) next(ctx context.Context) (*row, error) {
	for len(p.page) == 0 && len(p.keys) > 0 {
		part := p.keys[:min(firstPage, len(p.keys))]
		p.keys = p.keys[len(part):]
		query, args := spreadFor(itemColumns+itemTables+"WHERE r.key IN (…) ", part, func(k int64) any { return k })
		if p.q.Author != "" {
			query, args = query+byAuthor, append(args, p.q.Author)
		}
		if p.q.Session != "" {
			query, args = query+inSession, append(args, sessionKey(p.q.Session))
		}
		if !p.q.Hidden {
			query, args = query+andShown, append(args, p.s.now().UnixMilli())
		}
		if p.q.Unused {
			query += andUnused
		}
		if p.q.Oldest {
			query += "ORDER BY r.key"
		} else {
			query += "ORDER BY r.key DESC"
		}
		page, err := p.s.items(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		p.page = slices.DeleteFunc(page, func(r *row) bool { return !asksFor(p.kinds, r.kind) })
	}
	if len(p.page) == 0 {
		return nil, nil
	}
	r := p.page[0]
	p.page = p.page[1:]
	return r, nil
}
