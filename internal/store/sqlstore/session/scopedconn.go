package session

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/store/postgres"
)

// Scoped returns a connector whose connections keep to the scope of each statement's
// context.
func Scoped(c driver.Connector) driver.Connector { return scopedConnector{c} }

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
	out := &scopedConn{Conn: pg}
	if out.spread, out.path, err = spreads(ctx, pg); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return out, nil
}

// HasCitus asks whether the tables are on several nodes.
const HasCitus = "SELECT count(*) FROM pg_extension WHERE extname = 'citus'"

// spreads reports whether the server is Citus, and has it send what a transaction sets to the other nodes. It
// also gives what is searched for tables.
func spreads(ctx context.Context, pg *postgres.Conn) (is bool, path string, err error) {
	const query = "SELECT (" + HasCitus + "), current_setting('search_path')"
	rows, err := pg.QueryContext(ctx, query, nil)
	if err != nil {
		return false, "", err
	}
	found := make([]driver.Value, 2)
	if err := errors.Join(rows.Next(found), rows.Close()); err != nil {
		return false, "", err
	}
	path, _ = found[1].(string)
	if found[0] == int64(0) {
		return false, path, nil
	}
	_, err = pg.ExecContext(ctx, "SET citus.propagate_set_commands TO 'local'", nil)
	return true, path, err
}

// A scopedConn is a connection with its current scope.
type scopedConn struct {
	*postgres.Conn
	now   Scope
	path  string // what is searched for tables, of a scope without a path
	known bool   // whether now is what the server has
	// spread is whether the tables are on several nodes. Those are told what is set within a transaction, for that
	// transaction, and nothing else: each statement then has one.
	spread bool
}

// enter sets on the server for whom the next statement runs, if that changed. Within a
// transaction it never changes, since a rollback would undo it.
func (c *scopedConn) enter(ctx context.Context) error {
	want, _ := ctx.Value(scopeKey{}).(Scope)
	if c.known && c.now == want {
		return nil
	}
	if !c.Idle() {
		return errors.New("a transaction is for one caller, and a statement of another came into it")
	}
	c.known = false
	var query strings.Builder
	var args []driver.NamedValue
	for i, one := range append(want.Settings(), Setting{"search_path", cmp.Or(want.Path, c.path)}) {
		fmt.Fprintf(&query, "%s set_config('%s', $%d, false)", [2]string{"SELECT", ","}[min(i, 1)], one.Name, i+1)
		args = append(args, driver.NamedValue{Ordinal: i + 1, Value: one.Value})
	}
	if _, err := c.Conn.ExecContext(ctx, query.String(), args); err != nil {
		return err
	}
	c.now, c.known = want, true
	return nil
}

// Begin begins a transaction with a scope that ends with it, where nodes must be told.
func (c *scopedConn) begin(ctx context.Context, begin string) error {
	want, _ := ctx.Value(scopeKey{}).(Scope)
	var query strings.Builder
	query.WriteString(begin)
	for _, one := range want.Settings() {
		if one.Value == "" { // as it is between transactions
			continue
		}
		query.WriteString("; SET LOCAL " + one.Name + " TO '" + strings.ReplaceAll(one.Value, "'", "''") + "'")
	}
	if want.Path != "" {
		query.WriteString("; SET LOCAL search_path TO " + want.Path) // a list of quoted names
	}
	_, err := c.Conn.ExecContext(ctx, query.String(), nil)
	c.now = want
	if err != nil && !c.Idle() {
		err = errors.Join(err, c.end(ctx, "ROLLBACK"))
	}
	return err
}

// end ends a transaction that was begun for one statement.
func (c *scopedConn) end(ctx context.Context, how string) error {
	_, err := c.Conn.ExecContext(context.WithoutCancel(ctx), how, nil)
	return err
}

// within reports whether a statement runs in a transaction that was begun for its caller.
func (c *scopedConn) within(ctx context.Context) (bool, error) {
	if c.Idle() {
		return false, nil
	}
	if want, _ := ctx.Value(scopeKey{}).(Scope); want != c.now {
		return true, errors.New("a transaction is for one caller, and a statement of another came into it")
	}
	return true, nil
}

func (c *scopedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !c.spread {
		if err := c.enter(ctx); err != nil {
			return nil, err
		}
		return c.Conn.ExecContext(ctx, query, args)
	}
	if strings.HasPrefix(query, "BEGIN") && c.Idle() {
		return driver.RowsAffected(0), c.begin(ctx, query)
	}
	in, err := c.within(ctx)
	if err != nil {
		return nil, err
	}
	if in {
		return c.Conn.ExecContext(ctx, query, args)
	}
	if err := c.begin(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	result, err := c.Conn.ExecContext(ctx, query, args)
	if err != nil {
		return nil, c.rollBack(ctx, err)
	}
	return result, c.end(ctx, "COMMIT")
}

func (c *scopedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !c.spread {
		if err := c.enter(ctx); err != nil {
			return nil, err
		}
		return c.Conn.QueryContext(ctx, query, args)
	}
	in, err := c.within(ctx)
	if err != nil {
		return nil, err
	}
	if in {
		return c.Conn.QueryContext(ctx, query, args)
	}
	if err := c.begin(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, c.rollBack(ctx, err)
	}
	return &lastRows{rows, c, ctx}, nil
}

// rollBack ends the transaction of a statement that failed. An error that the connection cannot outlive is given as
// it is.
func (c *scopedConn) rollBack(ctx context.Context, err error) error {
	if c.Idle() || errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return errors.Join(err, c.end(ctx, "ROLLBACK"))
}

// lastRows are the rows of a statement that has a transaction of its own, which ends with them.
type lastRows struct {
	driver.Rows
	c   *scopedConn
	ctx context.Context
}

func (r *lastRows) Close() error {
	err := r.Rows.Close()
	if err != nil {
		return r.c.rollBack(r.ctx, err)
	}
	if r.c.Idle() {
		return nil
	}
	return r.c.end(r.ctx, "COMMIT")
}
