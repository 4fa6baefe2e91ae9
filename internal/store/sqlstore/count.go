package sqlstore

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// readCount is CountListed on the database itself, without the fallback. Of what no index finds, the list is counted.
func (s *Store) readCount(ctx context.Context, q store.Query) (n int, err error) {
	q.Limit = 0
	all, found, err := s.marked(ctx, q)
	if err != nil {
		return 0, s.Failed("count", err)
	}
	by, _ := all.(*merge)
	if !found || by == nil || q.Says != "" || len(q.But) > 0 {
		for _, err := range s.readList(ctx, q) {
			if err != nil {
				return 0, err
			}
			n++
		}
		return n, nil
	}
	for _, from := range by.from {
		some, err := s.countPicked(ctx, from.(*picked))
		if err != nil {
			return 0, s.Failed("count", err)
		}
		n += some
	}
	return n, ctx.Err()
}

// countPicked counts those of some keys that are asked for. Their rows are not read.
func (s *Store) countPicked(ctx context.Context, p *picked) (n int, err error) {
	for keys := p.keys; len(keys) > 0; {
		part := keys[:min(session.MostListed, len(keys))]
		keys = keys[len(part):]
		for _, kind := range p.kinds {
			query, args := session.SpreadFor("SELECT count(*) "+countTables+"WHERE r.key IN (…) ", part,
				func(k int64) any { return k })
			if kind == lists.AllMemories {
				query, args = query+"AND r.kind <= ? ", append(args, lists.LastMemory)
			} else {
				query, args = query+"AND r.kind = ? ", append(args, kind)
			}
			query, args = s.asked(p.q, query, args)
			var some int
			if _, err := s.read.One(ctx, []any{&some}, query, args...); err != nil {
				return 0, err
			}
			n += some
		}
	}
	return n, nil
}

// countTables are those that say whether a record is asked for, without its bytes.
const countTables = "FROM records r LEFT JOIN state s ON s.key = r.key "
