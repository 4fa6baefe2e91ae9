// Package postgres is PostgreSQL for database/sql: the connections of pgx, with the
// types of our columns and no others. pgx's own driver knows every type that PostgreSQL
// has: 2.9 MB of a program.
package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// A mode is how statements with arguments are sent.
type mode string

// The modes have the names they have in the addresses that pgx takes.
const (
	prepared  mode = "cache_statement" // once on a connection
	described mode = "cache_describe"  // its types are asked once, and it is planned each time
	asked     mode = "describe_exec"   // its types are asked each time
	direct    mode = "exec"            // in one message, as text
	simple    mode = "simple_protocol" // here the same
)

// A Config is where a server is and how to speak to it.
type Config struct {
	*pgconn.Config
	mode mode
}

// Parse reads an address, or the settings of libpq.
func Parse(address string) (Config, error) {
	const modeParameter = "default_query_exec_mode"
	parsed, err := pgconn.ParseConfig(address)
	if err != nil {
		return Config{}, err
	}
	c := Config{Config: parsed, mode: prepared}
	if text, given := parsed.RuntimeParams[modeParameter]; given {
		c.mode = mode(text)
	}
	switch c.mode {
	case prepared, described, asked, direct:
	case simple:
		c.mode = direct
	default:
		return Config{}, pgconn.NewParseConfigError(address, "invalid "+modeParameter, fmt.Errorf("unknown value %q", c.mode))
	}
	// The server knows none of these. How many statements are kept is ours to say.
	for _, name := range []string{modeParameter, "statement_cache_capacity", "description_cache_capacity"} {
		delete(parsed.RuntimeParams, name)
	}
	return c, nil
}

// Connect returns a new connection. It and Driver make Config a connector for sql.OpenDB.
func (c Config) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// Open returns a new connection of no pool.
func (c Config) Open(ctx context.Context) (*Conn, error) {
	pg, err := pgconn.ConnectConfig(ctx, c.Config.Copy())
	if err != nil {
		return nil, err
	}
	return &Conn{pg: pg, mode: c.mode, known: make(map[string]*statement)}, nil
}

// Driver returns a driver that opens nothing: an address is parsed first.
func (c Config) Driver() driver.Driver { return closed{} }

type closed struct{}

func (closed) Open(string) (driver.Conn, error) {
	return nil, errors.New("PostgreSQL is opened by sql.OpenDB with a Config")
}
