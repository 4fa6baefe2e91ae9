package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Damaged says in one line what keeps readings from being as quick as they are, "" where
// nothing was met.
func (s *Store) Damaged() string {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	return s.instead.notice
}

// currentFallback returns the fallback if there is one of the store as it is now.
func (s *Store) currentFallback(ctx context.Context) *Store {
	if store.IsItself(ctx) {
		return nil
	}
	if in := s.made(ctx); in != nil {
		return in
	}
	return s.fallback(ctx, s.emptied(ctx))
}

// made returns the fallback that was made of the store as it is now, nil if there is none.
func (s *Store) made(ctx context.Context) *Store {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	if s.instead.of == nil || s.instead.at != s.stamp(ctx) {
		return nil
	}
	return s.instead.of
}

// fallback returns a store to read instead, where err is damage that can be repaired.
func (s *Store) fallback(ctx context.Context, err error) *Store {
	if err == nil || s.shared || ctx.Err() != nil || store.IsItself(ctx) || !mendable(err) {
		return nil
	}
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	in, at := &s.instead, s.stamp(ctx)
	switch {
	case in.of != nil && in.at == at:
		return in.of
	case in.none == at && at != "":
		return nil
	}
	if in.close() != nil {
		return nil
	}
	failed := s.makeFallback(store.Itself(ctx)) != nil
	if empty, is := errors.AsType[emptyTable](err); is && !failed {
		failed = empty.mayBeSo() && !in.of.hasRows(ctx, string(empty)) // nothing was lost
	}
	if failed {
		_ = in.close() // there is none; the read continues, or fails with its own error
		in.none = at
		return nil
	}
	in.at = at
	in.notice = fmt.Sprintf("a table of %s that is made of records is damaged (%s): answers come from a copy in which it "+
		"was made again, and are slower; `doctor repair=true` mends it", s.name, reason(err))
	return in.of
}

// reason is the last part of an error, in one line.
func reason(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, store.ErrDamaged.Error()+": "); at >= 0 {
		text = text[at+len(store.ErrDamaged.Error())+2:]
	}
	text, _, _ = strings.Cut(text, "; try `doctor")
	return strings.Join(strings.Fields(text), " ")
}

// mendable reports whether an error may come from damaged derived data.
func mendable(err error) bool {
	return errors.Is(err, store.ErrDerived) || errors.Is(err, index.ErrDamaged) || errors.Is(err, errGone) ||
		session.ExplainSQLite(err) == store.ErrDamaged
}

// stamp identifies the state of the store without opening its file.
func (s *Store) stamp(ctx context.Context) string {
	if s.d == session.SQLite {
		var b strings.Builder
		for _, end := range []string{"", "-wal"} {
			if info, err := os.Stat(s.name + end); err == nil {
				fmt.Fprintln(&b, end, info.Size(), info.ModTime().UnixNano())
			}
		}
		return b.String()
	}
	var n, last int64
	if _, err := s.read.One(ctx, []any{&n, &last}, "SELECT count(*), coalesce(max(key), 0) FROM records"); err != nil {
		return ""
	}
	return fmt.Sprint(n, last)
}

// makeFallback copies the store and derives everything again in the copy.
func (s *Store) makeFallback(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "stemma-read-")
	if err != nil {
		return err
	}
	s.instead.dir = dir
	o := Options{Now: s.now, Rand: s.rand, Cache: dir, Patience: s.patience, Like: s.Path()}
	in, err := Open(ctx, filepath.Join(dir, "memory.db"), o)
	if err != nil {
		return err
	}
	s.instead.of = in
	from := s.read
	if s.d == session.SQLite { // one damaged entry of the schema must not hide the tables here
		db, err := session.OpenFile(s.name, session.DSN(
			s.name, session.AnySchema+session.Lasting(s.patience)+session.AlwaysSet+" "+session.ReaderSet, "mode=ro",
		))
		if err != nil {
			return err
		}
		defer db.Close() // it was only read
		from = session.New(session.SQLite, db, false)
	}
	err = in.Change(ctx, "read into", func(ctx context.Context, w *session.Session) error {
		for _, name := range slices.Concat(neededTables, usefulTables) {
			if err := copyTable(ctx, from, w, name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = in.Repair(ctx, nil)
	return err
}
