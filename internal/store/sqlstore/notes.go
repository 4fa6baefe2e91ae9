package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Noted keeps the names of notes apart from what the store itself keeps in meta.
const Noted = "note:"

// Note returns what was kept under a name, nil where nothing was.
func (s *Store) Note(ctx context.Context, name string) ([]byte, error) {
	var value string
	found, err := s.read.One(ctx, []any{&value}, "SELECT value FROM meta WHERE name = ?", Noted+name)
	if !found || err != nil {
		return nil, s.Failed("read a note of", err)
	}
	return []byte(value), nil
}

// NoteNames returns the names that begin with a word. They are few, and ordered here:
// how a server orders text is its own affair.
func (s *Store) NoteNames(ctx context.Context, begin string) ([]string, error) {
	var out []string
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		if name, is := strings.CutPrefix(name, Noted); is && strings.HasPrefix(name, begin) {
			out = append(out, name)
		}
		return err
	}, "SELECT name FROM meta")
	slices.Sort(out)
	return out, s.Failed("read the notes of", err)
}

// SwapNote keeps something under a name if what was there is what the caller saw.
func (s *Store) SwapNote(ctx context.Context, name string, old, now []byte) error {
	return s.Change(ctx, "keep a note in", func(ctx context.Context, w *session.Session) error {
		key := Noted + name
		var got string
		var swapped bool
		var err error
		switch {
		case len(old) == 0 && len(now) == 0:
			found, err := w.One(ctx, []any{&got}, "SELECT name FROM meta WHERE name = ?", key)
			if err == nil && found {
				err = store.ErrConflict
			}
			return err
		case len(old) == 0:
			swapped, err = w.One(
				ctx, []any{&got},
				"INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING RETURNING name", key,
				string(now),
			)
		case len(now) == 0:
			swapped, err = w.One(
				ctx, []any{&got}, "DELETE FROM meta WHERE name = ? AND value = ? RETURNING name", key,
				string(old),
			)
		default:
			swapped, err = w.One(
				ctx, []any{&got}, "UPDATE meta SET value = ? WHERE name = ? AND value = ? RETURNING name",
				string(now), key, string(old),
			)
		}
		if err == nil && !swapped {
			err = store.ErrConflict
		}
		return err
	})
}
