package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// decided finds the states of one space that say that a person approved the record. Its condition is that of the index
// state_decided, word for word; without that index the states of the space are gone through.
const decided = `SELECT key, due FROM state
	WHERE key > ? AND key < ? AND fold LIKE '%"review":"approved"%' ORDER BY key`

// cameDue finds those of which a claim has come due: they are to be computed again.
const cameDue = "SELECT key FROM state WHERE due <= ?"

// decidedIn returns the keys of the records in some spaces that a person approved, as their states say, in their
// order. Those of which a claim has come due are among them, and in due: they may be approved or not.
func (s *Store) decidedIn(ctx context.Context, spaces []int) (keys, due []int64, err error) {
	now := s.now().UnixMilli()
	passed, err := s.keys(ctx, cameDue, now)
	if err != nil {
		return nil, nil, err
	}
	for _, space := range spaces {
		first, end := session.FirstKey(space), session.FirstKey(space+1)
		err := s.read.Each(ctx, func(rows *sql.Rows) error {
			var key int64
			var at sql.NullInt64
			err := rows.Scan(&key, &at)
			if !at.Valid || at.Int64 > now {
				keys = append(keys, key)
			}
			return err
		}, decided, s.d.Planned([]any{first, end})...)
		if err != nil {
			return nil, nil, err
		}
		for _, key := range passed {
			if key > first && key < end {
				due = append(due, key)
			}
		}
	}
	keys = append(keys, due...)
	slices.Sort(keys)
	return keys, due, nil
}

// decidedNow is decidedIn without those that no longer are, or not yet.
func (s *Store) decidedNow(ctx context.Context, spaces []int) ([]int64, error) {
	keys, due, err := s.decidedIn(ctx, spaces)
	if err != nil || len(due) == 0 {
		return keys, err
	}
	ids, err := s.idsOf(ctx, due)
	if err != nil {
		return nil, err
	}
	not := make(map[int64]bool)
	for key, id := range ids {
		items, err := s.readItems(ctx, id)
		if err != nil {
			return nil, err
		}
		not[key] = items[0] == nil || items[0].State.Review != state.ReviewApproved
	}
	return slices.DeleteFunc(keys, func(key int64) bool { return not[key] }), nil
}

// shared returns the keys that two lists in their order have both.
func shared(a, b []int64) (both []int64) {
	for _, key := range a {
		if _, is := slices.BinarySearch(b, key); is {
			both = append(both, key)
		}
	}
	return both
}
