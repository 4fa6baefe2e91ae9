package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/postgres"
)

// A scope is the input of the policies of a hub's tables (see policies.go): for whom a
// statement runs. It is set in each connection's session settings, and set again when a
// statement for somebody else follows. The zero value sees nothing.
type scope struct {
	reads, writes string // numbers of spaces, with commas between
	keys          string // of those of which the key records alone are seen
	hub           string // "on" for the hub's own tables
}

// The settings that policies read.
const (
	setReads  = "stemma.reads"
	setWrites = "stemma.writes"
	setKeys   = "stemma.keys"
	setHub    = "stemma.hub"

	setScope = "SELECT set_config('" + setReads + "', $1, false), set_config('" + setWrites +
		"', $2, false), set_config('" + setKeys + "', $3, false), set_config('" + setHub + "', $4, false)"
)

// scopeOf returns the scope of an account that may read some spaces, write some, and see the
// keys of some, by their numbers. An account that writes may add keys where it sees them.
func scopeOf(reads, writes, keys []int) scope {
	if len(writes) > 0 {
		writes, keys = append(slices.Clone(writes), keys...), nil
	}
	return scope{reads: numbers(append(slices.Clone(reads), writes...)), writes: numbers(writes), keys: numbers(keys)}
}

func numbers(ns []int) string {
	ns = slices.Compact(slices.Sorted(slices.Values(ns)))
	text := make([]string, len(ns))
	for i, n := range ns {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, ",")
}

type scopeKey struct{}

// under returns ctx with a scope, for the connection that will run a statement.
func (s *scope) under(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, scopeKey{}, *s)
}

// scopedConnector returns connections that keep to the scope of each statement's
// context.
type scopedConnector struct{ driver.Connector }

func (c scopedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	pg, ok := conn.(*postgres.Conn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T", conn), conn.Close())
	}
	return &scopedConn{Conn: pg}, nil
}

// A scopedConn is a connection with its current scope.
type scopedConn struct {
	*postgres.Conn
	now   scope
	known bool // whether now is what the server has
}

// enter sets on the server for whom the next statement runs, if that changed. Within a
// transaction it never changes, since a rollback would undo it.
func (c *scopedConn) enter(ctx context.Context) error {
	want, _ := ctx.Value(scopeKey{}).(scope)
	if c.known && c.now == want {
		return nil
	}
	if !c.Idle() {
		return errors.New("a transaction is for one caller, and a statement of another came into it")
	}
	c.known = false
	_, err := c.Conn.ExecContext(ctx, setScope, []driver.NamedValue{
		{Ordinal: 1, Value: want.reads}, {Ordinal: 2, Value: want.writes}, {Ordinal: 3, Value: want.keys},
		{Ordinal: 4, Value: want.hub},
	})
	if err != nil {
		return err
	}
	c.now, c.known = want, true
	return nil
}

func (c *scopedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	return c.Conn.ExecContext(ctx, query, args)
}

func (c *scopedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.enter(ctx); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, query, args)
}
