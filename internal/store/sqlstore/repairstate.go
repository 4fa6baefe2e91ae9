package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// states folds the state of every record again. Existing states are used only for purged
// records, where nothing else has them.
func (x *repairing) states() error {
	if err := x.cleanStates(); err != nil {
		return err
	}
	err := x.each("states made", func(page []heldRow) error {
		if len(page) == 0 {
			return nil
		}
		rows := newRowsFor(x.ctx, x.s, x.w, len(page))
		rows.repairs, rows.made = true, page[0].key
		rs := make([]*memory.Record, 0, len(page))
		for _, one := range page {
			if x.places[one.rec.ID].key == one.key {
				rs = append(rs, one.rec)
			}
		}
		if err := store.Recompute(rows, rs, func(id memory.ID) bool { return x.awaited[id] }, rows.now); err != nil {
			return err
		}
		if rows.failed != nil {
			return rows.failed
		}
		return (&appending{rows: rows}).writeStates()
	})
	if err != nil {
		return err
	}
	_, err = x.w.One(x.ctx, []any{&x.done.States}, "SELECT count(*) FROM state")
	return err
}

// States without a record, and states with invalid values. A server enforces the types of its
// columns itself.
const (
	strayStates = "DELETE FROM state WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.key = state.key)"
	oddStates   = `DELETE FROM state WHERE typeof(flags) <> 'integer' OR typeof(due) NOT IN ('integer', 'null')
		OR typeof(fold) NOT IN ('text', 'null')`
	unsaidPurges = `SELECT r.key FROM records r LEFT JOIN payloads p ON p.key = r.key LEFT JOIN state s ON s.key = r.key
		WHERE p.key IS NULL AND (s.key IS NULL OR s.flags & 32 = 0)`
	purgeMarks = `SELECT p.bytes FROM edges e JOIN records c ON c.key = e.src JOIN payloads p ON p.key = e.src
		WHERE e.dst = ? AND e.rel = 3 AND c.kind = ` + lists.MarkKind
)

func (x *repairing) cleanStates() error {
	if err := x.w.Exec(x.ctx, strayStates); err != nil {
		return err
	}
	if x.w.Dialect == session.SQLite {
		if err := x.w.Exec(x.ctx, oddStates); err != nil {
			return err
		}
	}
	if err := x.cleanGone(); err != nil {
		return err
	}
	unsaid, err := keysOf(x.ctx, x.w, unsaidPurges)
	if err != nil {
		return err
	}
	for _, key := range unsaid {
		purged, err := x.purged(key)
		if err != nil {
			return err
		}
		if !purged {
			x.remains("a record in place %d of space %d has lost its bytes, and no purge says why: restore it from a backup",
				session.SeqOf(key), key>>session.SeqBits)
			continue
		}
		if err := x.w.Exec(x.ctx, insertStates+"(?,?,?,?)"+replaceState, key, flagPurged, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// cleanGone removes invalid states of records without their bytes.
func (x *repairing) cleanGone() error {
	for _, key := range slices.Sorted(maps.Keys(x.gone)) {
		var flags sql.NullInt64
		var fold sql.NullString
		there, err := x.w.One(x.ctx, []any{&flags, &fold}, "SELECT flags, fold FROM state WHERE key = ?", key)
		if err != nil {
			return err
		}
		if there && wrongAlone(flags, fold) == nil {
			continue
		}
		if err := x.w.Exec(x.ctx, "DELETE FROM state WHERE key = ?", key); err != nil {
			return err
		}
	}
	return nil
}

// wrongAlone reports what is inconsistent within a state.
func wrongAlone(flags sql.NullInt64, fold sql.NullString) error {
	s, err := decodeState(nil, flags, fold)
	if err == nil && strings.HasPrefix(fold.String, "{") && int64(flagsOf(&s)) != flags.Int64 {
		err = errors.New("its state does not say what its flags say")
	}
	return err
}

// purged reports whether a mark that is held says that a record was purged.
func (x *repairing) purged(key int64) (is bool, err error) {
	err = x.w.Each(x.ctx, func(rows *sql.Rows) error {
		var raw []byte
		if err := rows.Scan(&raw); err != nil {
			return err
		}
		if r, err := memory.Load(raw); err == nil {
			m, mark := r.Body.(*memory.Mark)
			is = is || mark && m.Verb == memory.Purge
		}
		return nil
	}, purgeMarks, key)
	return is, err
}

// keysOf runs a query for keys.
func keysOf(ctx context.Context, on *session.Session, query string, args ...any) (keys []int64, err error) {
	err = on.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		err := rows.Scan(&key)
		keys = append(keys, key)
		return err
	}, query, args...)
	return keys, err
}
