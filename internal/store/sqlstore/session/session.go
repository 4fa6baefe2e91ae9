package session

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
)

// A Caller is what statements run on: a pool, or one connection.
type Caller interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// A Session runs the statements of a store. On SQLite it keeps them
// prepared; the driver for PostgreSQL does so itself.
type Session struct {
	Dialect *Dialect
	on      Caller
	Keep    bool
	As      *Scope // for whom, on the database of a hub; nil elsewhere
	Spread  bool   // whether the tables are on several nodes, behind policies

	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
	wide  bool // for many records: only the one that is writing asks and sets it

	Filled  []string // tables to which the transaction adds rows
	Cleared bool     // it takes some away
}

// New returns a session; keep has it keep its statements prepared.
func New(d *Dialect, on Caller, keep bool) *Session {
	return &Session{Dialect: d, on: on, Keep: keep, stmts: make(map[string]*sql.Stmt)}
}

func (s *Session) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
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

func (s *Session) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if !s.Keep {
		query, args = s.Dialect.listed(query, args)
		return s.on.QueryContext(s.As.Under(ctx), s.Dialect.Rebind(query), args...)
	}
	st, err := s.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// Exec runs a statement that returns no rows.
func (s *Session) Exec(ctx context.Context, query string, args ...any) error {
	if !s.Keep {
		query, args = s.Dialect.listed(query, args)
		_, err := s.on.ExecContext(s.As.Under(ctx), s.Dialect.Rebind(query), args...)
		return err
	}
	st, err := s.stmt(ctx, query)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, args...)
	return err
}

// Widen readies the connection for many records, once.
func (s *Session) Widen(ctx context.Context) error {
	if s.wide {
		return nil
	}
	s.wide = true
	for _, setting := range s.Dialect.Widen {
		if err := s.Exec(ctx, setting); err != nil {
			return err
		}
	}
	return nil
}

// Each runs a query that is soon done and calls scan for each row. On SQLite
// only ctx as it is now counts: to watch it costs as much as such a query.
func (s *Session) Each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.Keep {
		ctx = context.WithoutCancel(ctx)
	}
	return s.Long(ctx, scan, query, args...)
}

// Long is each for a query that may take a while, and can be cut off.
func (s *Session) Long(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
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

// One runs a query and scans its first row; found is false if there is none.
func (s *Session) One(ctx context.Context, into []any, query string, args ...any) (found bool, err error) {
	err = s.Each(ctx, func(rows *sql.Rows) error {
		if found {
			return nil
		}
		found = true
		return rows.Scan(into...)
	}, query, args...)
	return found, err
}

// Page reads records of a log after a place, in their order, at most limit: query asks for what lies between two keys.
// Where tables are on several nodes, one that did not count its rows lately takes the fences of a space for few rows,
// and reads and sorts the rest of the log for each page. So the first question ends where a log without gaps would.
func (s *Session) Page(
	ctx context.Context, scan func(*sql.Rows) error, query string, space int, after store.Seq, limit int,
) error {
	low, end := FirstKey(space)+int64(after), FirstKey(space+1)
	if s.Spread && int64(limit) < end-low {
		high, n := low+int64(limit)+1, 0
		err := s.Each(ctx, func(rows *sql.Rows) error { n++; return scan(rows) }, query, low, high, limit)
		if err != nil || n == limit {
			return err
		}
		low, limit = high-1, limit-n
	}
	return s.Each(ctx, scan, query, low, end, limit)
}

// Close closes the prepared statements.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, st := range s.stmts {
		err = errors.Join(err, st.Close())
	}
	clear(s.stmts)
	return err
}

// Run runs statements that are not kept, and may be several. On PostgreSQL each ends a line, and goes by itself: an
// engine that spreads tables over machines takes one at a time.
func Run(ctx context.Context, w *Session, text string) error {
	all := []string{text}
	if w.Dialect == Postgres {
		all = Statements(text)
	}
	for _, one := range all {
		if _, err := w.on.ExecContext(ctx, one); err != nil {
			return err
		}
	}
	return nil
}

// Statements parts a text for PostgreSQL into its statements, each of which ends with a semicolon at the end of a
// line. What stands between two $$ is one.
func Statements(text string) (all []string) {
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

// Fills notes that the transaction adds rows to a table.
func (s *Session) Fills(table string) {
	if !slices.Contains(s.Filled, table) {
		s.Filled = append(s.Filled, table)
	}
}
