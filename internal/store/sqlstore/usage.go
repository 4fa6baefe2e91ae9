package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// addUsage adds readings to a count. One that is not what was written stays so, until it is
// repaired: a sum of it would make it look right.
var addUsage = " ON CONFLICT (key) DO UPDATE SET times = " + moreTimes + ", last = " + laterLast +
	", sum = " + sums.UsageOf("usage.key", moreTimes, laterLast) +
	" WHERE usage.sum IS NULL OR usage.sum = " + sums.UsageOf("usage.key", "usage.times", "usage.last")

const (
	moreTimes = "usage.times + excluded.times"
	laterLast = "CASE WHEN excluded.last > usage.last THEN excluded.last ELSE usage.last END"
)

// Touch counts one reading of each record that is held.
func (s *Store) Touch(ctx context.Context, at time.Time, ids ...memory.ID) error {
	if len(ids) == 0 {
		return ctx.Err()
	}
	return s.Change(ctx, "count a reading in", func(ctx context.Context, w *session.Session) error {
		held := newRows(ctx, s, w)
		if err := held.find(ids); err != nil {
			return err
		}
		times := make(map[int64]int)
		var keys []int64
		for _, id := range ids {
			key := held.keys[id]
			if key != 0 && times[key] == 0 {
				keys = append(keys, key)
			}
			times[key]++
		}
		p := session.Pile{
			Into: "INSERT INTO usage (key, times, last, sum) VALUES ", Row: "(?,?,?,?)", Tail: addUsage,
		}
		for _, key := range keys {
			p.Add(key, times[key], at.UnixMilli(), sums.Usage(key, int64(times[key]), at.UnixMilli()))
		}
		return p.Flush(ctx, w)
	})
}

// readUsed is Used on the database itself, without the fallback.
func (s *Store) readUsed(ctx context.Context, ids ...memory.ID) ([]store.Usage, error) {
	const query = "SELECT r.id, u.key, u.times, u.last, u.sum FROM records r JOIN usage u ON u.key = r.key WHERE " +
		"r.id IN (…)"
	used := make(map[memory.ID]store.Usage)
	for part := range slices.Chunk(ids, session.MostListed) {
		query, args := session.SpreadFor(query, part, session.Blob)
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var id memory.ID
			var key, times, last int64
			var sum sql.NullInt64
			err := rows.Scan(session.AsID(&id), &key, &times, &last, &sum)
			if err == nil && sums.UsageIs(key, times, last, sum) {
				used[id] = store.Usage{Times: int(times), Last: memory.At(time.UnixMilli(last)).Time()}
			}
			return err
		}, query, args...)
		if err != nil {
			return nil, s.Failed("read the usage of", err)
		}
	}
	out := make([]store.Usage, len(ids))
	for i, id := range ids {
		out[i] = used[id]
	}
	return out, ctx.Err()
}

// Cursor returns a remembered position, 0 at first.
func (s *Store) Cursor(ctx context.Context, name string) (store.Seq, error) {
	var at store.Seq
	_, err := s.read.One(ctx, []any{&at}, "SELECT seq FROM cursors WHERE name = ?", name)
	return at, s.Failed("read a cursor of", err)
}

// SetCursor remembers a position.
func (s *Store) SetCursor(ctx context.Context, name string, at store.Seq) error {
	return s.Change(ctx, "set a cursor of", func(ctx context.Context, w *session.Session) error {
		return w.Exec(ctx, "INSERT INTO cursors (name, seq) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = "+
			"excluded.seq",
			name, int64(at))
	})
}
