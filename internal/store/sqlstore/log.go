package sqlstore

import (
	"context"
	"database/sql"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// readSince is Since on the database itself, without the fallback.
func (s *Store) readSince(ctx context.Context, space string, after store.Seq, limit int) ([]store.Change, error) {
	const query = "SELECT key, id FROM records WHERE key > ? AND key < ? ORDER BY key LIMIT ?"
	no, err := s.names.Number(ctx, s.read, lists.Spaces, space)
	if err != nil || no == 0 || limit <= 0 {
		return nil, s.Failed("read the log of", err)
	}
	after = max(after, 0)
	var out []store.Change
	err = s.read.Page(ctx, func(rows *sql.Rows) error {
		var key int64
		var id memory.ID
		err := rows.Scan(&key, session.AsID(&id))
		out = append(out, store.Change{Seq: session.SeqOf(key), ID: id})
		return err
	}, query, no, after, limit)
	return out, s.Failed("read the log of", err)
}

// readPlaced is Placed on the database itself, without the fallback.
func (s *Store) readPlaced(ctx context.Context, space string, after, upTo store.Seq) ([]*store.Item, error) {
	no, err := s.names.Number(ctx, s.read, lists.Spaces, space)
	if err != nil || no == 0 {
		return nil, s.Failed("read the log of", err)
	}
	const query = itemColumns + itemTables + "WHERE r.key > ? AND r.key <= ? ORDER BY r.key"
	rows, err := s.items(ctx, query, session.FirstKey(no)+int64(after), session.FirstKey(no)+int64(upTo))
	out := make([]*store.Item, len(rows))
	for i, r := range rows {
		if err == nil {
			out[i], err = s.itemAt(ctx, nil, r)
		}
	}
	return out, s.Failed("read from", err)
}

// readSpaces is Spaces on the database itself, without the fallback.
func (s *Store) readSpaces(ctx context.Context) ([]store.Space, error) {
	return s.spacesAt(ctx, func() ([]store.Space, error) { return s.askSpaces(ctx) })
}

func (s *Store) askSpaces(ctx context.Context) ([]store.Space, error) {
	var out []store.Space
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var sp store.Space
		err := rows.Scan(&sp.Name, &sp.Last)
		out = append(out, sp)
		return err
	}, "SELECT name, last FROM spaces ORDER BY no")
	return out, s.Failed("list the spaces of", err)
}

// readStats is Stats on the database itself, without the fallback.
func (s *Store) readStats(ctx context.Context) (store.Stats, error) {
	st := store.Stats{ByKind: make(map[memory.Kind]int), Live: make(map[memory.Kind]int)}
	err := s.count(ctx, &st)
	return st, s.Failed("count", err)
}

// byKind counts records. Most are raws, and all are counted by the pages of an index, so raws are what the others leave
// of all. byState counts those that are not shown, purgedNow those whose bytes
// are gone: a flag may say so of bytes that came back. The last two begin with states
// (hence the word CROSS), which few records have.
const (
	byKind = "SELECT " + lists.RawKind + ", (SELECT count(*) FROM records) - (SELECT count(*) FROM records WHERE kind > " +
		lists.RawKind + ") - (SELECT count(*) FROM records WHERE kind < " + lists.RawKind + ") " +
		"UNION ALL SELECT kind, count(*) FROM records WHERE kind > " + lists.RawKind + " GROUP BY kind " +
		"UNION ALL SELECT kind, count(*) FROM records WHERE kind < " + lists.RawKind + " GROUP BY kind"
	byState = "SELECT r.kind, count(*) FROM state s CROSS JOIN records r WHERE r.key = s.key AND s.flags & 63 <> " +
		"0 GROUP BY r.kind"
	purgedNow = "SELECT count(*) FROM state s WHERE s.flags & 32 <> 0 AND NOT EXISTS (SELECT 1 FROM payloads p " +
		"WHERE p.key = s.key)"
)

func (s *Store) count(ctx context.Context, st *store.Stats) error {
	type counts struct{ kind, all int }
	ask := func(query string, each func(memory.Kind, counts)) error {
		var kinds []counts
		err := s.read.Long(ctx, func(rows *sql.Rows) error {
			var c counts
			err := rows.Scan(&c.kind, &c.all)
			kinds = append(kinds, c)
			return err
		}, query)
		for _, c := range kinds {
			if err != nil {
				return err
			}
			if c.all == 0 {
				continue
			}
			var kind memory.Kind
			if kind, err = s.names.Kind(ctx, s.read, c.kind); err == nil {
				each(kind, c)
			}
		}
		return err
	}
	err := ask(byKind, func(kind memory.Kind, c counts) {
		st.Records += c.all
		st.ByKind[kind] = c.all
		if kind.IsMemory() {
			st.Live[kind] = c.all
		}
	})
	if err != nil {
		return err
	}
	err = ask(byState, func(kind memory.Kind, c counts) {
		if st.Live[kind] -= c.all; st.Live[kind] <= 0 {
			delete(st.Live, kind)
		}
	})
	if err != nil {
		return err
	}
	if err := s.countDue(ctx, st); err != nil {
		return err
	}
	var edges int
	for _, one := range []struct {
		into  *int
		query string
	}{
		{&st.Purged, purgedNow},
		{&edges, "SELECT count(*) FROM edges"},
		{&st.Dangling, "SELECT count(*) FROM dangling"},
	} {
		if _, err := s.read.One(ctx, []any{one.into}, one.query); err != nil {
			return err
		}
	}
	where, args := s.unmade(nil)
	if _, err := s.read.One(ctx, []any{&st.Processed}, processed+where+")", args...); err != nil {
		return err
	}
	st.Edges = edges + st.Dangling
	_, err = s.read.One(ctx, []any{&st.Bytes}, s.d.Size)
	return err
}

// processed counts raws of which something current was made, from the side of the arrows, since most raws have none:
// of all that have any, those that are no raws are fewer than the raws, and few have only what is hidden (hence the
// word CROSS: SQLite begins with all raws otherwise).
const processed = "SELECT (SELECT count(DISTINCT dst) FROM edges WHERE rel = 1) - (SELECT count(*) FROM records r " +
	"WHERE r.kind > " + lists.RawKind + " AND EXISTS (SELECT 1 FROM edges e WHERE e.dst = r.key AND e.rel = 1)) - " +
	"(SELECT count(*) FROM (SELECT DISTINCT e.dst AS key FROM state s CROSS JOIN edges e CROSS JOIN records d " +
	"WHERE e.src = s.key AND e.rel = 1 AND d.key = e.dst AND s.flags & 63 >= 1 AND d.kind = " + lists.RawKind +
	") r WHERE "

// countDue corrects the counts by the claims that have come due.
func (s *Store) countDue(ctx context.Context, st *store.Stats) error {
	return s.dueSince(ctx, "", []any{s.now().UnixMilli()}, func(it *store.Item, by int) {
		if st.Live[it.Ref.Kind] += by; st.Live[it.Ref.Kind] == 0 {
			delete(st.Live, it.Ref.Kind)
		}
	})
}

// dueSince returns each memory of which a claim has come due, as it is now, and what that
// adds to the count of those that are shown.
func (s *Store) dueSince(ctx context.Context, where string, args []any, add func(it *store.Item, by int)) error {
	due, err := s.items(ctx, itemColumns+`FROM state s JOIN records r ON r.key = s.key
		LEFT JOIN payloads p ON p.key = r.key WHERE s.due <= ?`+where, args...)
	for _, r := range due {
		if err != nil {
			return err
		}
		var it *store.Item
		if it, err = s.item(ctx, r); err != nil || !it.Ref.Kind.IsMemory() {
			continue
		}
		by := 0
		if it.State.Live() {
			by++
		}
		if r.flags.Int64&hidden == 0 {
			by--
		}
		add(it, by)
	}
	return err
}
