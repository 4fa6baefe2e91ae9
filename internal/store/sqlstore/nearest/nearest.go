package nearest

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/internal/vec"
	"github.com/stemma-memory/stemma/memory"
)

// Search returns the nearest of the records that a question asks for, the best first.
func (s *Base) Search(ctx context.Context, n store.Near) ([]store.Hit, error) {
	if !finite(n.Vec) {
		return nil, errors.New("the query vector has values that are not finite numbers")
	}
	m, err := ModelOf(ctx, s.Read, n.Model)
	if err != nil || m.No == 0 || m.Dims != len(n.Vec) || zero(n.Vec) {
		return nil, errors.Join(err, ctx.Err())
	}
	q := &nearing{s: s, Near: n, model: m, limit: max(n.Limit, 1)}
	if q.kinds, err = s.Names.KindsOf(ctx, s.Read, n.Kinds); err != nil || len(q.kinds) == 0 {
		return nil, err
	}
	for _, name := range n.Spaces {
		no, err := s.Names.Number(ctx, s.Read, lists.Spaces, name)
		if err != nil {
			return nil, err
		}
		if no != 0 && !slices.Contains(q.spaces, no) {
			q.spaces = append(q.spaces, no)
		}
	}
	if len(n.Spaces) > 0 && len(q.spaces) == 0 {
		return nil, nil
	}
	hits, done, err := q.inDatabase(ctx)
	if done || err != nil {
		return hits, err
	}
	err = s.withCodes(ctx, n.Model, m, func(x *vec.Index) error {
		hits, err = q.scan(ctx, x)
		return err
	})
	return hits, err
}

// scan asks for more and more until enough are of the right kind and shown.
func (q *nearing) scan(ctx context.Context, x *vec.Index) ([]store.Hit, error) {
	want := q.limit + margin
	var of map[int64]bool // the keys of the kinds asked for, where few have them
	var kept []candidate
	compared := 0
	for ask := want + want/spare; ; ask *= growing {
		keep := func(code int64) bool {
			key := keyOf(code)
			return (len(q.spaces) == 0 || slices.Contains(q.spaces, int(key>>session.SeqBits))) && (of == nil || of[key])
		}
		top, err := x.Top(q.Vec, ask, keep)
		if err != nil {
			return nil, err
		}
		more, err := q.judge(ctx, top[compared:])
		if err != nil {
			return nil, err
		}
		kept = append(kept, more...)
		if len(kept) >= want || len(top) < ask {
			return q.rescore(ctx, kept[:min(want, len(kept))])
		}
		compared = len(top)
		if of == nil && q.kinds[0] != lists.AllMemories {
			if of, err = q.keysOfKinds(ctx); err != nil {
				return nil, err
			}
			kept, compared = nil, 0
		}
	}
}

const kindsQuery = "SELECT key FROM records WHERE kind IN (…)"

// keysOfKinds returns the keys of all records of the kinds asked for.
func (q *nearing) keysOfKinds(ctx context.Context) (map[int64]bool, error) {
	of := make(map[int64]bool)
	for part := range slices.Chunk(q.kinds, session.MostListed) {
		query, args := session.SpreadFor(kindsQuery, part, session.AnyInt)
		err := q.s.Read.Long(ctx, func(rows *sql.Rows) error {
			var key int64
			err := rows.Scan(&key)
			of[key] = true
			return err
		}, query, args...)
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

const judgeQuery = `SELECT r.key, r.id, r.kind FROM records r JOIN payloads p ON p.key = r.key
	JOIN vectors v ON v.key = r.key AND v.model = ? WHERE r.key IN (…)`

// judge leaves, in their order, those that have a vector and their bytes, are
// of a kind asked for, and are shown.
func (q *nearing) judge(ctx context.Context, top []vec.Hit) ([]candidate, error) {
	ids, kinds := make(map[int64]memory.ID, len(top)), make(map[int64]int, len(top))
	for part := range slices.Chunk(top, session.MostListed) {
		query, args := session.SpreadFor(judgeQuery, part, func(h vec.Hit) any { return keyOf(h.Key) })
		err := q.s.Read.Each(ctx, func(rows *sql.Rows) error {
			var key int64
			var id memory.ID
			var kind int
			err := rows.Scan(&key, session.AsID(&id), &kind)
			if lists.AsksFor(q.kinds, kind) {
				ids[key], kinds[key] = id, kind
			}
			return err
		}, query, append([]any{q.model.No}, args...)...)
		if err != nil {
			return nil, err
		}
	}
	var out []candidate
	for _, h := range top {
		key := keyOf(h.Key)
		if ids[key].IsZero() {
			continue
		}
		kind, err := q.s.Names.Kind(ctx, q.s.Read, kinds[key])
		if err != nil {
			return nil, err
		}
		out = append(out, candidate{key: key, id: ids[key], kind: kind})
	}
	return q.shown(ctx, out)
}

const vectorsQuery = "SELECT key, ord, vec, sum FROM vectors WHERE model = ? AND key IN (…)"

// rescore looks at the vectors themselves.
func (q *nearing) rescore(ctx context.Context, all []candidate) ([]store.Hit, error) {
	scores := make(map[int64]float64, len(all))
	for part := range slices.Chunk(all, session.MostListed) {
		query, args := session.SpreadFor(vectorsQuery, part, func(c candidate) any { return c.key })
		err := q.s.Read.Each(ctx, func(rows *sql.Rows) error {
			var key, ord int64
			var b sql.RawBytes
			var sum sql.NullInt64
			if err := rows.Scan(&key, &ord, &b, &sum); err != nil {
				return err
			}
			if v := Decode(b); len(v) == len(q.Vec) && sums.VectorIs(q.model.Name, key, ord, b, sum) {
				scores[key] = float64(vec.Cosine(q.Vec, v))
			}
			return nil
		}, query, append([]any{q.model.No}, args...)...)
		if err != nil {
			return nil, err
		}
	}
	all = slices.DeleteFunc(all, func(c candidate) bool {
		_, there := scores[c.key]
		return !there
	})
	for i := range all {
		all[i].score = scores[all[i].key]
	}
	return q.best(all), ctx.Err()
}
