package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
)

// Peek opens a store that may be a stranger's, for reading alone. It creates no file next to
// it and no schema, trusts nothing in the schema, and every query ends with its context. It
// returns fs.ErrNotExist if there is no store.
//
// A file is read in place. One with a log next to it, or of an older version, is copied first,
// and the copy is opened; Close removes it.
func Peek(ctx context.Context, spec string) (*Store, error) {
	s := &Store{now: time.Now, readOnly: true, names: lists.New(), writing: make(chan struct{}, 1)}
	s.writing <- struct{}{}
	var err error
	if store.IsPostgres(spec) {
		err = s.peekPostgres(ctx, spec)
	} else {
		err = s.peekSQLite(ctx, strings.TrimPrefix(spec, "sqlite:"))
	}
	if err != nil {
		return nil, errors.Join(s.Failed("open", err), s.Close())
	}
	return s, nil
}

func (s *Store) peekPostgres(ctx context.Context, spec string) error {
	if err := s.connectPostgres(spec); err != nil {
		return err
	}
	switch have, err := s.version(ctx, s.read); {
	case err != nil:
		return err
	case have == 0:
		return fmt.Errorf("there is no store: %w", fs.ErrNotExist)
	}
	return s.upgrade(ctx)
}

func (s *Store) peekSQLite(ctx context.Context, path string) error {
	head, _ := headOf(path)
	return orNoStore(path, head, s.peekFile(ctx, path))
}

func (s *Store) peekFile(ctx context.Context, path string) error {
	s.d, s.name = session.SQLite, path
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	s.name = path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return noStore{"it is no file"}
	case info.Size() < session.PageSize:
		return fmt.Errorf("%w: it is cut off after %d bytes", store.ErrDamaged, info.Size())
	}
	if _, err := atrest.KeyOf(path); err != nil {
		return err
	}
	if live.Has(info) { // no stranger's: this process has it open, with its log
		if err := s.peekReaders(path, session.DSN(path, session.AlwaysSet+" "+session.ReaderSet, "mode=ro")); err != nil {
			return err
		}
		return s.upgrade(ctx)
	}
	if hasMore(path) || !isCurrent(path) {
		return s.peekCopy(ctx, path)
	}
	if err := s.peekReaders(
		path, session.DSN(path, session.AlwaysSet+" "+session.ReaderSet, "mode=ro", "immutable=1"),
	); err != nil {
		return err
	}
	return s.onlyTables(ctx)
}

// peekReaders makes readers whose queries end with their context.
func (s *Store) peekReaders(path, name string) error {
	err := s.connectReaders(path, name)
	if err == nil {
		s.read.Keep = false
	}
	return err
}

// peekCopy opens a copy of a file with its log.
func (s *Store) peekCopy(ctx context.Context, path string) error {
	dir, err := os.MkdirTemp("", "stemma-peek-")
	if err != nil {
		return err
	}
	s.after = func() error { return os.RemoveAll(dir) }
	to := filepath.Join(dir, "store.db")
	for _, end := range []string{"", "-wal", "-journal"} {
		if err := copyPlain(path+end, to+end); err != nil && (end == "" || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	if err := s.peekReaders(to, session.DSN(to, session.AlwaysSet+" "+session.ReaderSet, "mode=rw")); err != nil {
		return err
	}
	if err := s.onlyTables(ctx); err != nil {
		return err
	}
	w := &session.SQLiteWriter{Path: to}
	s.write, s.readOnly = w, false
	err = s.upgrade(ctx)
	s.readOnly = true
	return err
}

// copyPlain copies a regular file, and follows no link.
func copyPlain(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() && !strings.HasSuffix(from, ".db") {
		return fmt.Errorf("%s is not a regular file", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, session.FilePerm)
	if err != nil {
		return errors.Join(err, live.Close(in))
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close(), live.Close(in))
}

// onlyTables refuses a file in which something other than a table has the name of a table that
// is read here: a view would run its author's code.
func (s *Store) onlyTables(ctx context.Context) error {
	const query = `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND upper(sql) NOT LIKE 'CREATE VIRTUAL%'
		AND name IN ('meta', 'spaces', 'records', 'payloads')`
	var n int
	if _, err := s.read.One(ctx, []any{&n}, query); err != nil {
		return err
	}
	if n != 4 {
		return fmt.Errorf("%w: a table that every store has is missing", store.ErrDamaged)
	}
	_, err := s.version(ctx, s.read)
	return err
}

// Odd names what a store's file runs by itself, and no version of stemma put there:
// triggers and views. A database on a server is its administrator's affair.
func (s *Store) Odd(ctx context.Context) ([]string, error) {
	if s.d != session.SQLite {
		return nil, nil
	}
	ours, err := schemaText()
	if err != nil {
		return nil, err
	}
	var out []string
	err = s.read.Each(ctx, func(rows *sql.Rows) error {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return err
		}
		if !strings.Contains(ours, spaced(text)) {
			out = append(out, kind+" "+name)
		}
		return nil
	}, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name")
	return out, s.Failed("read the schema of", err)
}

// schemaText is the text of all versions of the schema on SQLite.
func schemaText() (string, error) {
	var b strings.Builder
	err := fs.WalkDir(migrations, session.SQLite.Migration, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		b.WriteString(spaced(string(text)) + "\n")
		return err
	})
	return b.String(), err
}

// spaced puts one space where there are several, or lines.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// FirstCame says when the first record came here, by the store's own clock. It is
// zero for a store without records, and for one so old that it did not keep that.
func (s *Store) FirstCame(ctx context.Context) (time.Time, error) {
	var first time.Time
	err := s.read.Each(ctx, func(rows *sql.Rows) error {
		var key int64
		var came, sum sql.NullInt64
		if err := rows.Scan(&key, &came, &sum); err != nil {
			return err
		}
		if t := sums.ArrivedAt(key, came, sum); !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
		return nil
	}, fmt.Sprintf(
		"SELECT r.key, r.came, r.sum FROM spaces s JOIN records r ON r.key = (s.no * %d) + 1", session.FirstKey(1),
	))
	return first, s.Failed("read the log of", err)
}

// RootAt computes the root of a space's log when it held size records, from the ids themselves
// and not from the stored tree.
func (s *Store) RootAt(ctx context.Context, space string, size int64) (ledger.Hash, error) {
	no, err := s.names.Number(ctx, s.read, lists.Spaces, space)
	if err != nil {
		return ledger.Hash{}, s.Failed("read the log of", err)
	}
	root, err := store.RootAt(size, func(after store.Seq, limit int) ([]store.Change, error) {
		if no == 0 {
			return nil, nil
		}
		return changesAfter(ctx, s.read, no, after, limit)
	})
	return root, s.Failed("read the log of", err)
}
