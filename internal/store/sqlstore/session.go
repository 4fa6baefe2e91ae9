package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
)

// A caller is what statements run on: a pool, or one connection.
type caller interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// A session runs the statements of this package. On SQLite it keeps them
// prepared; the driver for PostgreSQL does so itself.
type session struct {
	d      *Dialect
	on     caller
	keep   bool
	as     *scope // for whom, on the database of a hub; nil elsewhere
	spread bool   // whether the tables are on several nodes, behind policies

	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
	wide  bool // for many records: only the one that is writing asks and sets it

	filled  []string // tables to which the transaction adds rows, as those who write note it
	cleared bool     // it takes some away
}

func newSession(d *Dialect, on caller, keep bool) *session {
	return &session{d: d, on: on, keep: keep, stmts: make(map[string]*sql.Stmt)}
}

func (s *session) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.RLock()
	st := s.stmts[query]
	s.mu.RUnlock()
	if st != nil {
		return st, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.stmts[query]; st != nil {
		return st, nil
	}
	st, err := s.on.PrepareContext(ctx, query)
	if err == nil {
		s.stmts[query] = st
	}
	return st, err
}

func (s *session) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if !s.keep {
		query, args = s.d.listed(query, args)
		return s.on.QueryContext(s.as.under(ctx), s.d.Rebind(query), args...)
	}
	st, err := s.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

func (s *session) exec(ctx context.Context, query string, args ...any) error {
	if !s.keep {
		query, args = s.d.listed(query, args)
		_, err := s.on.ExecContext(s.as.under(ctx), s.d.Rebind(query), args...)
		return err
	}
	st, err := s.stmt(ctx, query)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, args...)
	return err
}

// widen readies the connection for many records, once.
func (s *session) widen(ctx context.Context) error {
	if s.wide {
		return nil
	}
	s.wide = true
	for _, setting := range s.d.Widen {
		if err := s.exec(ctx, setting); err != nil {
			return err
		}
	}
	return nil
}

// each runs a query that is soon done and calls scan for each row. On SQLite
// only ctx as it is now counts: to watch it costs as much as such a query.
func (s *session) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.keep {
		ctx = context.WithoutCancel(ctx)
	}
	return s.long(ctx, scan, query, args...)
}

// long is each for a query that may take a while, and can be cut off.
func (s *session) long(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.query(ctx, query, args...)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := odd(scan(rows)); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// one runs a query and scans its first row; found is false if there is none.
func (s *session) one(ctx context.Context, into []any, query string, args ...any) (found bool, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		if found {
			return nil
		}
		found = true
		return rows.Scan(into...)
	}, query, args...)
	return found, err
}

// page reads records of a log after a place, in their order, at most limit: query asks for what lies between two keys.
// Where tables are on several nodes, one that did not count its rows lately takes the fences of a space for few rows,
// and reads and sorts the rest of the log for each page. So the first question ends where a log without gaps would.
func (s *session) page(
	ctx context.Context, scan func(*sql.Rows) error, query string, space int, after store.Seq, limit int,
) error {
	low, end := firstKey(space)+int64(after), firstKey(space+1)
	if s.spread && int64(limit) < end-low {
		high, n := low+int64(limit)+1, 0
		err := s.each(ctx, func(rows *sql.Rows) error { n++; return scan(rows) }, query, low, high, limit)
		if err != nil || n == limit {
			return err
		}
		low, limit = high-1, limit-n
	}
	return s.each(ctx, scan, query, low, end, limit)
}

// close closes the prepared statements.
func (s *session) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, st := range s.stmts {
		err = errors.Join(err, st.Close())
	}
	clear(s.stmts)
	return err
}

// run runs statements that are not kept, and may be several. On PostgreSQL each ends a line, and goes by itself: an
// engine that spreads tables over machines takes one at a time.
func run(ctx context.Context, w *session, text string) error {
	all := []string{text}
	if w.d == postgresDialect {
		all = statements(text)
	}
	for _, one := range all {
		if _, err := w.on.ExecContext(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// statements parts a text for PostgreSQL into its statements, each of which ends with a semicolon at the end of a
// line. What stands between two $$ is one.
func statements(text string) (all []string) {
	var one strings.Builder
	within := false
	for line := range strings.Lines(text) {
		one.WriteString(line)
		line, _, _ = strings.Cut(line, "--")
		within = within != (strings.Count(line, "$$")%2 == 1)
		if strings.HasSuffix(strings.TrimSpace(line), ";") && !within {
			all = append(all, one.String())
			one.Reset()
		}
	}
	if strings.TrimSpace(one.String()) != "" {
		all = append(all, one.String())
	}
	return all
}
