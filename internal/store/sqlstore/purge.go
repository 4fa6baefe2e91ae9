package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/nearest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/memory"
)

// purge removes what the batch says from every table: bytes and signatures, words
// and vectors. The row of the log stays, so the id is refused for ever, and the
// tree over the log is what it was; so do the arrows, and the ids it had elsewhere,
// so that importing it again does nothing. The database itself refuses where no
// mark says so.
func (a *appending) purge() error {
	if len(a.batch.Purge) == 0 {
		return nil
	}
	if err := a.find(a.batch.Purge); err != nil {
		return err
	}
	var keys []int64
	var gone []*memory.Record
	for _, id := range a.batch.Purge {
		r, err := a.Record(id)
		switch {
		case err != nil:
			return err
		case a.keys[id] == 0:
			return fmt.Errorf("purge %s: it is not held", id.Short())
		case r == nil:
			continue // purged before
		case !store.MayGo(r):
			return fmt.Errorf("purge %s: a %s is not purged", id.Short(), r.Header.Kind)
		}
		now, was, err := a.State(id)
		if err != nil {
			return err
		}
		if !was {
			now = state.Initial(r)
		}
		now.Purged = true
		if err := a.PutState(r, now); err != nil {
			return err
		}
		keys, gone = append(keys, a.keys[id]), append(gone, r)
	}
	if err := a.writeStates(); err != nil {
		return err
	}
	for i, key := range keys {
		for _, query := range []string{
			"DELETE FROM payloads WHERE key = ?", "DELETE FROM signatures WHERE key = ?", "DELETE FROM usage WHERE key = ?",
		} {
			if err := a.on.Exec(a.ctx, query, key); err != nil {
				return err
			}
		}
		a.records[gone[i].ID] = nil
	}
	if err := a.unword(keys); err != nil {
		return err
	}
	if err := a.tell(gone); err != nil {
		return err
	}
	if err := a.s.dropVectors(a.ctx, a.on, keys); err != nil {
		return err
	}
	if err := store.Unsay(a.rows, gone, a.now); err != nil {
		return err
	}
	if a.failed != nil {
		return a.failed
	}
	return a.writeStates()
}

// tell changes the note by which other processes notice a purge.
func (a *appending) tell(gone []*memory.Record) error {
	a.purged = gone
	if len(gone) == 0 || a.s.shared { // a hub keeps no answers, and its people share no notes
		return nil
	}
	var was string
	if _, err := a.on.One(
		a.ctx, []any{&was}, "SELECT value FROM meta WHERE name = ?", Noted+store.PurgesNote,
	); err != nil {
		return err
	}
	const query = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	return a.on.Exec(a.ctx, query, Noted+store.PurgesNote, string(store.AfterPurge([]byte(was), gone)))
}

// obey adds the purges of the batch's marks.
func (a *appending) obey() error {
	ids, err := store.Obeyed(a.rows, a.fresh, a.refolded)
	a.batch.Purge = append(slices.Clip(a.batch.Purge), ids...)
	return err
}

// unword rewrites the segments that contain the words of records.
func (a *appending) unword(keys []int64) error {
	bySpace := make(map[int][]int64)
	for _, key := range keys {
		space := int(key >> session.SeqBits)
		bySpace[space] = append(bySpace[space], int64(session.SeqOf(key)))
	}
	for space, places := range bySpace {
		all, err := segmentsOf(a.ctx, a.on, space)
		if err != nil {
			return err
		}
		next := int64(0)
		for _, g := range all {
			next = max(next, g.no)
		}
		x := &indexer{a.ctx, a.on, space}
		for _, g := range all {
			if !slices.ContainsFunc(places, func(p int64) bool { return g.first <= p && p <= g.last }) {
				continue
			}
			next++ // heads of segments are remembered by their number
			if err := x.again(g, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostScours is how often the log of SQLite is tried to be emptied, each time for as
// long as the database waits for others.
const mostScours = 3

// scour removes purged bytes from other files: SQLite's log, and the copies of vectors, which
// the next search makes again. The log and free space of a PostgreSQL server are its
// administrator's responsibility.
func (s *Store) scour(ctx context.Context) error {
	if err := s.dropCodes(ctx); err != nil {
		return err
	}
	if s.d != session.SQLite {
		return nil
	}
	select {
	case <-s.writing:
		defer func() { s.writing <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for try := 1; ; try++ {
		w, err := s.write.Begin(ctx)
		if err != nil {
			return err
		}
		var busy, pages, done int
		if _, err := w.One(ctx, []any{&busy, &pages, &done}, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			return err
		}
		if busy == 0 {
			return nil
		}
		if try == mostScours {
			return fmt.Errorf(
				"%w: purged bytes remain in %s-wal until another process that reads the store ends",
				store.ErrBusy, s.name,
			)
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// dropCodes deletes the files that are made of vectors.
func (s *Store) dropCodes(ctx context.Context) error {
	var models []string
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		models = append(models, name)
		return err
	}, "SELECT name FROM models ORDER BY no")
	if err != nil {
		return err
	}
	for _, name := range models {
		m, err := nearest.ModelOf(ctx, s.read, name)
		if err != nil {
			return err
		}
		path, _, err := s.nearest().CodesAt(ctx, name, m)
		if err != nil {
			return err
		}
		if path == "" {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
