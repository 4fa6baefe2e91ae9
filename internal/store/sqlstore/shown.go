package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// shownOf returns for each key whether lists and searches show the record.
func (s *Store) shownOf(ctx context.Context, keys []int64) ([]bool, error) {
	m := s.moment(ctx)
	out := make([]bool, len(keys))
	hides, err := s.hiding(ctx, m)
	if err != nil {
		return nil, err
	}
	unknown := keys
	if hides != nil {
		unknown = nil
		for i, k := range keys {
			passing, is := hides[k]
			if out[i] = !is; passing {
				unknown = append(unknown, k)
			}
		}
		if len(unknown) == 0 {
			return out, nil
		}
	}
	shown, err := rememberEach(m, func(m *moment) map[int64]bool { return m.shown }, unknown,
		func(keys []int64) (map[int64]bool, []int64, error) { return s.askShown(ctx, keys) })
	if err != nil {
		return nil, err
	}
	for i, k := range keys {
		if is, asked := shown[k]; asked {
			out[i] = is
		}
	}
	return out, nil
}

const (
	// hidesFrom is of how many records a moment has been asked one by one whether they are shown, before all states are
	// gone through; statesForOne is how many states take as long as one that is looked up.
	hidesFrom    = 512
	statesForOne = 8
)

// hiding returns the keys of all records that a moment does not show, true for those of which that may be otherwise
// by and by; nil is not known. All states are read where that takes no longer than what was asked so far.
func (s *Store) hiding(ctx context.Context, m *moment) (map[int64]bool, error) {
	if m == nil {
		return nil, nil
	}
	m.mu.Lock()
	hides, asked := m.hides, len(m.shown)
	enough := asked >= max(hidesFrom, m.hidesFrom)
	if enough {
		m.hidesFrom = 2 * asked // if there are too many
	}
	m.mu.Unlock()
	if hides != nil || !enough {
		return hides, nil
	}
	most := statesForOne * asked
	hides = make(map[int64]bool)
	var more int
	_, err := s.read.One(ctx, []any{&more}, "SELECT count(*) FROM (SELECT 1 FROM state LIMIT ?)", most+1)
	if err != nil || more > most {
		return nil, err
	}
	err = s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var passing bool
		err := rows.Scan(&key, &passing)
		hides[key] = passing
		return err
	}, "SELECT key, due IS NOT NULL FROM state WHERE flags & ? <> 0 OR due IS NOT NULL", hidden)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	const entry = 32
	m.grows(entry * len(hides))
	m.hides = hides
	clear(m.shown)
	return hides, nil
}

// askShown is shownOf by the database itself. It also returns the keys of which that will be
// otherwise at some time.
func (s *Store) askShown(ctx context.Context, keys []int64) (map[int64]bool, []int64, error) {
	now := s.now()
	hiddenKeys := make(map[int64]bool)
	var due, passing []int64
	for part := range slices.Chunk(keys, session.MostListed) {
		query, args := session.SpreadFor(
			"SELECT key, flags, due FROM state WHERE key IN (…)", part, func(k int64) any { return k },
		)
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var key, flags int64
			var at sql.NullInt64
			err := rows.Scan(&key, &flags, &at)
			hiddenKeys[key] = flags&hidden != 0
			if at.Valid {
				passing = append(passing, key)
				if at.Int64 <= now.UnixMilli() {
					due = append(due, key)
				}
			}
			return err
		}, query, args...)
		if err != nil {
			return nil, nil, err
		}
	}
	for _, key := range due {
		ids, err := s.idsOf(ctx, []int64{key})
		if err != nil {
			return nil, nil, err
		}
		items, err := s.readItems(ctx, ids[key])
		if err != nil {
			return nil, nil, err
		}
		hiddenKeys[key] = items[0] == nil || !items[0].State.Live()
	}
	out := make(map[int64]bool, len(keys))
	for _, k := range keys {
		out[k] = !hiddenKeys[k]
	}
	return out, passing, nil
}
