package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store/postgres"
)

// postgresConns is how many connections one process has at most, unless the
// address says it with poolSize.
const postgresConns = 6

func (s *Store) openPostgres(ctx context.Context, spec string) error {
	if err := s.connectPostgres(spec); err != nil {
		return err
	}
	if s.shared {
		return s.openShared(ctx, s.conns)
	}
	s.write = &postgresWriter{db: s.readers}
	return s.upgrade(ctx)
}

// connectPostgres makes the pool; the first statement connects.
func (s *Store) connectPostgres(spec string) error {
	s.d, s.name = postgresDialect, "postgres"
	config, err := postgres.Parse(spec)
	if err != nil {
		return fmt.Errorf("the address is not understood: %w", err)
	}
	s.name = fmt.Sprintf("postgres://%s:%d/%s", config.Host, config.Port, config.Database)
	if s.readOnly {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	conns := postgresConns
	if s.shared {
		conns = hubConns
	}
	if text, given := config.RuntimeParams[poolSize]; given {
		if conns, err = strconv.Atoi(text); err != nil || conns < 1 {
			return fmt.Errorf("the address is not understood: %s must be a number above 0, got %q", poolSize, text)
		}
		delete(config.RuntimeParams, poolSize) // the server does not know it
	}
	var connector driver.Connector = config
	if s.shared {
		connector = scopedConnector{connector}
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	s.readers, s.read, s.conns = db, newSession(s.d, db, false), conns
	return nil
}

// A postgresWriter takes a connection of the pool for each transaction.
type postgresWriter struct {
	db     *sql.DB
	conn   *sql.Conn
	as     *scope        // of a hub; nil for none
	turns  chan struct{} // bounds those that write at once where several do; nil is no bound
	spread bool          // see session
}

func (w *postgresWriter) begin(ctx context.Context) (*session, error) {
	if w.turns != nil {
		select {
		case w.turns <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	conn, err := w.db.Conn(ctx)
	if err != nil {
		w.leave()
		return nil, err
	}
	w.conn = conn
	on := newSession(postgresDialect, conn, false)
	on.as, on.spread = w.as, w.spread
	return on, nil
}

// leave lets another write.
func (w *postgresWriter) leave() {
	if w.turns != nil {
		<-w.turns
	}
}

func (w *postgresWriter) done(err error) error {
	defer w.leave()
	if closed := w.conn.Close(); closed != nil && !errors.Is(closed, sql.ErrConnDone) {
		err = errors.Join(err, closed)
	}
	w.conn = nil
	return err
}

func (w *postgresWriter) close() error { return nil }
