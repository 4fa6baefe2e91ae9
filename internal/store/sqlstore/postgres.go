package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/postgres"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// postgresConns is how many connections one process has at most, unless the
// address says it with store.PoolSize.
const postgresConns = 6

func (s *Store) openPostgres(ctx context.Context, spec string) error {
	if err := s.connectPostgres(spec); err != nil {
		return err
	}
	if s.shared {
		return s.openShared(ctx, s.conns)
	}
	s.write = &session.PostgresWriter{Db: s.readers}
	return s.upgrade(ctx)
}

// connectPostgres makes the pool; the first statement connects.
func (s *Store) connectPostgres(spec string) error {
	s.d, s.name = session.Postgres, "postgres"
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
	if text, given := config.RuntimeParams[store.PoolSize]; given {
		if conns, err = strconv.Atoi(text); err != nil || conns < 1 {
			return fmt.Errorf("the address is not understood: %s must be a number above 0, got %q", store.PoolSize, text)
		}
		delete(config.RuntimeParams, store.PoolSize) // the server does not know it
	}
	var connector driver.Connector = config
	if s.shared {
		connector = session.Scoped(connector)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	s.readers, s.read, s.conns = db, session.New(s.d, db, false), conns
	return nil
}
