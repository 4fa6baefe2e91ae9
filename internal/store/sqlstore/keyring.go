package sqlstore

import (
	"context"
	"database/sql"
	"sync"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// readKeyring is Keyring on the database itself, without the fallback.
func (s *Store) readKeyring(ctx context.Context) (*state.Keyring, error) {
	shared, err := s.ring.read(ctx, s.read)
	if err != nil {
		return nil, s.Failed("read the keys in", err)
	}
	k := shared.Clone()
	var mu sync.Mutex
	known := make(map[memory.ID]state.Arrival) // a record's place in the log never changes
	k.Arrived = func(id memory.ID) (state.Arrival, bool) {
		mu.Lock()
		a, held := known[id]
		mu.Unlock()
		if held {
			return a, true
		}
		a, held, err := arrivedIn(ctx, s.read, id)
		if held = held && err == nil; held {
			mu.Lock()
			known[id] = a
			mu.Unlock()
		}
		return a, held
	}
	k.Agrees = func(space string, size int64, root string) bool {
		ok, err := s.ring.agrees(ctx, s.read, space, size, root, true)
		return ok && err == nil
	}
	return k, nil
}

// admit adds to the Keyring the keys of the batch, whose places in the log are known now, and
// notes who writes: a store with one writer belongs to that person. If the owner changes, it
// returns the keeper's claims, which hide and restore records that others' claims do not.
func (a *appending) admit() (again []*memory.Record, err error) {
	if err := a.readKeyring(); err != nil {
		return nil, err
	}
	cloned := false
	for _, r := range a.fresh {
		if r.Header.Kind != memory.KindKey {
			continue
		}
		if !cloned {
			a.ring, cloned = a.ring.Clone(), true
		}
		a.ring.Add(r)
	}
	was, by := a.ring.KeptBy, a.batch.By
	if by == "" || was == by || was == severalKeepers {
		return nil, nil
	}
	who, is := was, severalKeepers
	if was == "" {
		who, is = by, by
	}
	const query = "INSERT INTO meta (name, value) VALUES ('keeper', ?) ON CONFLICT (name) DO UPDATE SET value = " +
		"excluded.value"
	if err := a.on.Exec(a.ctx, query, is); err != nil {
		return nil, err
	}
	a.ring.KeptBy = is
	for _, did := range a.ring.History(who) {
		ids, err := a.claimsBy(did)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			r, err := a.Record(id)
			if err != nil {
				return nil, err
			}
			if r != nil {
				again = append(again, r)
			}
		}
	}
	return again, a.failed
}

// claimsBy returns the marks of a key, and what it said of keys.
func (w *rows) claimsBy(did string) ([]memory.ID, error) {
	var out []memory.ID
	err := w.on.Each(w.ctx, func(r *sql.Rows) error {
		var id memory.ID
		err := r.Scan(session.AsID(&id))
		out = append(out, id)
		return err
	}, `SELECT r.id FROM authors a JOIN records r ON r.author = a.no AND r.kind IN (`+lists.MarkKind+", "+lists.KeyKind+`)
		WHERE a.did = ? ORDER BY r.key`, did)
	return out, err
}
