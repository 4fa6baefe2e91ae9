package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/codec"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// siftPart is how much of a file is read at a time.
const siftPart = 256 << 10

// Sift is the function of that name: every column of every table, and then the bytes of the files, which hold free
// pages and the write-ahead log too. In a table a text is whole; pages of a file may cut it.
func (s *Store) Sift(ctx context.Context, do func(place string, text []byte, last bool) error) error {
	tables, err := s.siftable(ctx)
	if err != nil {
		return s.Failed("read", err)
	}
	for _, query := range tables {
		if err := s.siftTable(ctx, query[0], query[1], do); err != nil {
			return s.Failed("read", err)
		}
	}
	if s.d != session.SQLite {
		return nil
	}
	for _, end := range []string{"", "-wal", "-journal"} {
		if err := siftFile(ctx, s.name+end, "the file of the store"+end, s.Key(), do); err != nil {
			return s.Failed("read", err)
		}
	}
	return nil
}

// Compact is the function of that name.
func (s *Store) Compact(ctx context.Context) error {
	if s.d != session.SQLite {
		return nil
	}
	err := s.rewrite(ctx)
	if err == nil {
		err = s.scour(ctx)
	}
	return s.Failed("compact", err)
}

// siftable returns the tables, and a query for what each holds that may be words.
func (s *Store) siftable(ctx context.Context) (out [][2]string, err error) {
	if s.d == session.SQLite {
		var names []string
		err = s.read.Each(ctx, func(rows *sql.Rows) error {
			var name string
			err := rows.Scan(&name)
			names = append(names, name)
			return err
		}, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
		for _, name := range names {
			out = append(out, [2]string{name, "SELECT * FROM " + session.Quoted(name)})
		}
		return out, err
	}
	err = s.read.Each(ctx, func(rows *sql.Rows) error {
		var name, columns string
		err := rows.Scan(&name, &columns)
		out = append(out, [2]string{name, "SELECT " + columns + " FROM " + session.Quoted(name)})
		return err
	}, `SELECT c.table_name::text, string_agg(quote_ident(c.column_name) ||
			CASE WHEN c.data_type IN ('text', 'bytea') THEN '' ELSE '::text' END, ', ' ORDER BY c.ordinal_position)
		FROM information_schema.columns c JOIN information_schema.tables t
			ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' GROUP BY 1 ORDER BY 1`)
	return out, err
}

func (s *Store) siftTable(
	ctx context.Context, name, query string, do func(place string, text []byte, last bool) error,
) error {
	place := "table " + strings.TrimSpace(name)
	var into []any
	return s.read.Long(ctx, func(rows *sql.Rows) error {
		if into == nil {
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			for range columns {
				into = append(into, new(sql.RawBytes))
			}
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, column := range into {
			if text := *column.(*sql.RawBytes); len(text) > 0 {
				if err := do(place, text, true); err != nil {
					return err
				}
			}
		}
		return nil
	}, query)
}

func siftFile(
	ctx context.Context, path, place string, key *atrest.Key, do func(place string, text []byte, last bool) error,
) (err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close(f)) }()
	in := io.Reader(f)
	if key != nil { // words are looked for in what was encrypted
		if in, err = codec.NewReader(f, key); err != nil {
			return err
		}
	}
	part := make([]byte, siftPart)
	for {
		n, err := in.Read(part)
		if n > 0 {
			if err := errors.Join(do(place, part[:n], false), ctx.Err()); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return do(place, nil, true)
		}
		if err != nil {
			return err
		}
	}
}
