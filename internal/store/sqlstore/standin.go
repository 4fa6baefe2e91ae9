package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
)

// A reading that meets a damaged row which is made of records goes on in a stand-in: a
// copy, in a directory of its own, in which all that is made of records was made again.
// It is slower, once, and gives the answers that the store gave before. It is made again
// when the store was changed, and goes when the store is closed. A store in which signed
// bytes are damaged has none: what is left of it is for 'stemma recover'.
type standIn struct {
	mu     sync.Mutex
	of     *Store
	dir    string
	at     string // what the store was like when it was made
	none   string // what it was like when none could be made
	notice string
}

// Damaged says in one line what keeps readings from being as quick as they are, "" where
// nothing was met.
func (s *Store) Damaged() string {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	return s.instead.notice
}

// itselfKey marks a context in which the database itself is to be read.
type itselfKey struct{}

// Itself returns a context in which the database itself is read, and no stand-in: for who
// looks for damage.
func Itself(ctx context.Context) context.Context { return context.WithValue(ctx, itselfKey{}, true) }

// standing returns the stand-in if there is one that is of the store as it is now.
func (s *Store) standing(ctx context.Context) *Store {
	if ctx.Value(itselfKey{}) != nil {
		return nil
	}
	if in := s.made(ctx); in != nil {
		return in
	}
	return s.standIn(ctx, s.emptied(ctx))
}

// made returns the stand-in that was made of the store as it is now.
func (s *Store) made(ctx context.Context) *Store {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	if s.instead.of == nil || s.instead.at != s.stamp(ctx) {
		return nil
	}
	return s.instead.of
}

// standIn returns a store to ask instead, where err is of damage that can be mended.
func (s *Store) standIn(ctx context.Context, err error) *Store {
	if err == nil || s.shared || ctx.Err() != nil || ctx.Value(itselfKey{}) != nil || !mendable(err) {
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
	failed := s.stand(Itself(ctx)) != nil
	if empty, is := errors.AsType[emptyTable](err); is && !failed {
		failed = empty.mayBeSo() && !in.of.hasRows(ctx, string(empty)) // nothing was lost
	}
	if failed {
		_ = in.close() // there is none; the reading goes on, or fails with what it met
		in.none = at
		return nil
	}
	in.at = at
	in.notice = fmt.Sprintf("a table of %s that is made of records is damaged (%s): answers come from a copy in which it "+
		"was made again, and are slower; 'stemma doctor --repair' mends it", s.name, reason(err))
	return in.of
}

// reason is the last part of an error, in one line.
func reason(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, store.ErrDamaged.Error()+": "); at >= 0 {
		text = text[at+len(store.ErrDamaged.Error())+2:]
	}
	text, _, _ = strings.Cut(text, "; try 'stemma doctor")
	return strings.Join(strings.Fields(text), " ")
}

// mendable reports whether an error may be of damage to what is made of records.
func mendable(err error) bool {
	return errors.Is(err, store.ErrDerived) || errors.Is(err, index.ErrDamaged) || errors.Is(err, errGone) ||
		explainSQLite(err) == store.ErrDamaged
}

// stamp tells one state of the store from another, without opening its file.
func (s *Store) stamp(ctx context.Context) string {
	if s.d == sqliteDialect {
		var b strings.Builder
		for _, end := range []string{"", "-wal"} {
			if info, err := os.Stat(s.name + end); err == nil {
				fmt.Fprintln(&b, end, info.Size(), info.ModTime().UnixNano())
			}
		}
		return b.String()
	}
	var n, last int64
	if _, err := s.read.one(ctx, []any{&n, &last}, "SELECT count(*), coalesce(max(key), 0) FROM records"); err != nil {
		return ""
	}
	return fmt.Sprint(n, last)
}

// Tables that a stand-in is made of: what nothing can be made of, which must be whole,
// and what may be missing.
var (
	neededTables = []string{"records", "payloads", "signatures"}
	usefulTables = []string{
		"meta", "spaces", "authors", "kinds", "models", "checkpoints", "edges", "dangling", "aliases", "state",
		"usage", "vectors", "cursors",
	}
)

// stand makes the stand-in.
func (s *Store) stand(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "stemma-read-")
	if err != nil {
		return err
	}
	s.instead.dir = dir
	o := Options{Now: s.now, Rand: s.rand, Cache: dir, Patience: s.patience}
	in, err := Open(ctx, filepath.Join(dir, "memory.db"), o)
	if err != nil {
		return err
	}
	s.instead.of = in
	from := s.read
	if s.d == sqliteDialect { // one entry of the schema that is damaged keeps nobody from the tables here
		db, err := openFile(s.name, dsn(s.name, anySchema+lasting(s.patience)+alwaysSet+" "+readerSet, "mode=ro"))
		if err != nil {
			return err
		}
		defer db.Close() // it was only read
		from = newSession(sqliteDialect, db, false)
	}
	err = in.change(ctx, "read into", func(ctx context.Context, w *session) error {
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

// copyTable copies the rows of a table that can be read; of a table that is needed,
// all must be.
func copyTable(ctx context.Context, from, w *session, name string) error {
	columns, order, err := columnsOf(ctx, w, name)
	if err != nil {
		return err
	}
	if from.d == sqliteDialect { // a backup of an older version lacks what came later
		have, _, err := columnsOf(ctx, from, name)
		if lacks := func(c string) bool { return !slices.Contains(have, c) }; err == nil && len(have) > 0 {
			columns = slices.DeleteFunc(columns, lacks)
		}
	}
	rows, whole := readable(ctx, from, name, columns, order)
	if !whole && slices.Contains(neededTables, name) {
		return fmt.Errorf("%w: the table %s", store.ErrDamaged, name)
	}
	if err := w.exec(ctx, "DELETE FROM "+name); err != nil {
		return err
	}
	return putBack(ctx, w, name, columns, rows)
}

// putBack inserts rows, but for those that cannot be in the table.
func putBack(ctx context.Context, w *session, name string, columns []string, rows [][]any) error {
	for _, row := range rows {
		query := "INSERT OR IGNORE INTO " + name + " (" + strings.Join(columns, ", ") + ") VALUES (?" +
			strings.Repeat(", ?", len(row)-1) + ")"
		if err := w.exec(ctx, query, row...); err != nil && code(err) == 0 {
			return err
		}
	}
	return nil
}

// dropStandIn forgets what was read in the place of the store.
func (s *Store) dropStandIn() error {
	s.instead.mu.Lock()
	defer s.instead.mu.Unlock()
	s.instead.notice, s.instead.none = "", ""
	return s.instead.close()
}

func (in *standIn) close() error {
	var err error
	if in.of != nil {
		err = in.of.Close()
	}
	if in.dir != "" {
		err = errors.Join(err, os.RemoveAll(in.dir))
	}
	in.of, in.dir, in.at = nil, "", ""
	return err
}
