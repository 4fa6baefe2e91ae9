// Package foreign reads the SQLite files of other programs.
package foreign

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// Bounds of a database of somebody else.
const (
	maxForeign     = 4 << 30 // bytes of the file and of its log
	maxForeignCell = 16 << 20
)

// A File is a SQLite file of another program, opened to be read. Nothing in it
// is trusted: it is copied first, so that the file and its log stay untouched byte
// for byte and no one writes while we read; only tables are read, never views or
// virtual ones; and no statement comes from the file.
type File struct {
	db     *sql.DB
	copied string
	tables map[string][]string // columns by table
}

// Open copies and opens a file of another program.
func Open(ctx context.Context, path string) (_ *File, err error) {
	if journal, err := os.Stat(path + "-journal"); err == nil && journal.Size() > 0 {
		// rolling one back deletes files that it names
		return nil, errors.New("a write was broken off and left a journal; open it once with its own program")
	}
	dir, err := os.MkdirTemp("", "stemma-foreign-*")
	if err != nil {
		return nil, err
	}
	f := &File{copied: dir, tables: make(map[string][]string)}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	to := filepath.Join(dir, "copy.db")
	if err := copyStill(path, to); err != nil {
		return nil, err
	}
	if f.db, err = sql.Open("sqlite", session.DSN(to, session.AlwaysSet+" query_only(1)", "mode=rw")); err != nil {
		return nil, err
	}
	f.db.SetMaxOpenConns(1)
	return f, f.look(ctx)
}

// copyStill copies a database with its log, and makes sure that neither changed
// meanwhile.
func copyStill(from, to string) error {
	before, err := stateOf(from)
	if err != nil {
		return err
	}
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(from+end, to+end); err != nil && (end == "" || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	after, err := stateOf(from)
	if err == nil && after != before {
		err = errors.New("it is being written to; end its program and try again")
	}
	return err
}

// stateOf says what a file and its log look like from outside.
func stateOf(path string) (string, error) {
	var b strings.Builder
	for _, end := range []string{"", "-wal"} {
		info, err := os.Stat(path + end)
		switch {
		case err != nil && end == "":
			return "", err
		case err != nil:
			continue
		case !info.Mode().IsRegular():
			return "", errors.New("it is no regular file")
		case info.Size() > maxForeign:
			return "", fmt.Errorf("it is longer than %d GiB", maxForeign>>30)
		}
		fmt.Fprintf(&b, "%d %d;", info.Size(), info.ModTime().UnixNano())
	}
	return b.String(), nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer live.Close(in) // it was only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, session.FilePerm)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, maxForeign))
	return errors.Join(err, out.Close())
}

// look learns which tables and columns there are.
func (f *File) look(ctx context.Context) error {
	rows, err := f.db.QueryContext(ctx, `SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS c
		WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_%' AND c.hidden = 0
		ORDER BY m.rowid, c.cid LIMIT 10000`)
	if err != nil {
		return explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return explained(err)
		}
		f.tables[table] = append(f.tables[table], column)
	}
	return explained(rows.Err())
}

// explained translates an error of SQLite for the owner of the file.
func explained(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("it cannot be read: %w", err)
}

// Has reports whether there is a table with these columns.
func (f *File) Has(table string, columns ...string) bool {
	have := make(map[string]bool)
	for _, c := range f.tables[table] {
		have[c] = true
	}
	for _, c := range columns {
		if !have[c] {
			return false
		}
	}
	return len(have) > 0
}

// Rows returns the rows of a table in the order in which they were written: values
// by column, NULL left out, each a string, an int64, a float64 or bytes.
func (f *File) Rows(ctx context.Context, table string) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		columns := f.tables[table]
		if len(columns) == 0 {
			return
		}
		var b strings.Builder
		for i, c := range columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(session.Quoted(c))
		}
		fail := func(err error) { yield(nil, fmt.Errorf("%s: %w", table, explained(err))) }
		rows, err := f.db.QueryContext(ctx, "SELECT "+b.String()+" FROM "+session.Quoted(table))
		if err != nil {
			fail(err)
			return
		}
		defer rows.Close()
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				fail(err)
				return
			}
			row := make(map[string]any, len(columns))
			for i, c := range cells {
				if long(c) {
					fail(fmt.Errorf("%s: is longer than %d MiB", columns[i], maxForeignCell>>20))
					return
				}
				if c != nil {
					row[columns[i]] = c
				}
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			fail(err)
		}
	}
}

func long(cell any) bool {
	switch c := cell.(type) {
	case string:
		return len(c) > maxForeignCell
	case []byte:
		return len(c) > maxForeignCell
	}
	return false
}

// Close closes the copy and takes it away.
func (f *File) Close() error {
	var err error
	if f.db != nil {
		err = f.db.Close()
	}
	return errors.Join(err, os.RemoveAll(f.copied))
}
