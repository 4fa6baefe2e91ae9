package sqlstore

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// Most records are raws: their number is the length of the log minus the others, for which
// there is an index. Few states hide a record.
const (
	tallyOthers = "SELECT kind, count(*) FROM records WHERE kind > " + lists.RawKind +
		" AND key >= ? AND key < ? GROUP BY kind"
	tallyHidden = `SELECT r.kind, count(*) FROM state s CROSS JOIN records r WHERE r.key = s.key AND s.flags & 63 <> 0
		AND s.key >= ? AND s.key < ? GROUP BY r.kind`
)

// readTally is Tally on the database itself, without the fallback.
func (s *Store) readTally(ctx context.Context, spaces []string) (map[memory.Kind]int, error) {
	all, err := s.readSpaces(ctx)
	if err != nil {
		return nil, err
	}
	now := s.now().UnixMilli()
	if out := s.tallies.get(all, spaces, now); out != nil {
		return out, nil
	}
	n := tallied{spaces: all, asked: slices.Clone(spaces), made: now, counts: make(map[memory.Kind]int)}
	for _, sp := range all {
		if len(spaces) > 0 && !slices.Contains(spaces, sp.Name) {
			continue
		}
		if err := s.tallySpace(ctx, sp, now, &n); err != nil {
			return nil, s.Failed("count", err)
		}
	}
	maps.DeleteFunc(n.counts, func(kind memory.Kind, _ int) bool { return !kind.IsMemory() })
	if since, err := s.readSpaces(ctx); err == nil && slices.Equal(since, all) { // else it is of no one moment
		s.tallies.put(n)
	}
	return maps.Clone(n.counts), ctx.Err()
}

// tallySpace adds the memories of one space.
func (s *Store) tallySpace(ctx context.Context, sp store.Space, now int64, n *tallied) error {
	no, err := s.names.Number(ctx, s.read, lists.Spaces, sp.Name)
	if err != nil {
		return err
	}
	raws := int(sp.Last)
	err = s.tally(ctx, tallyOthers, no, func(kind memory.Kind, some int) {
		raws -= some
		n.counts[kind] += some
	})
	n.counts[memory.KindRaw] += raws
	if err == nil {
		err = s.tally(ctx, tallyHidden, no, func(kind memory.Kind, some int) { n.counts[kind] -= some })
	}
	if err != nil {
		return err
	}
	first, last := session.FirstKey(no), session.FirstKey(no+1)
	err = s.dueSince(ctx, " AND s.key >= ? AND s.key < ?", []any{now, first, last}, func(it *store.Item, by int) {
		n.counts[it.Ref.Kind] += by
		if !it.State.Due.IsZero() {
			n.until(it.State.Due.Time().UnixMilli())
		}
	})
	if err != nil {
		return err
	}
	var next sql.NullInt64
	_, err = s.read.One(
		ctx, []any{&next}, "SELECT min(due) FROM state WHERE due > ? AND key >= ? AND key < ?", now, first, last,
	)
	n.until(next.Int64)
	return err
}

func (s *Store) tally(ctx context.Context, query string, space int, add func(memory.Kind, int)) error {
	type count struct{ kind, n int }
	var counts []count
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var c count
		err := rows.Scan(&c.kind, &c.n)
		counts = append(counts, c)
		return err
	}, query, session.FirstKey(space), session.FirstKey(space+1))
	if err != nil {
		return err
	}
	for _, c := range counts {
		kind, err := s.names.Kind(ctx, s.read, c.kind)
		if err != nil {
			return err
		}
		add(kind, c.n)
	}
	return nil
}
