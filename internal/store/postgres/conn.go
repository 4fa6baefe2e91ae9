package postgres

import (
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Planned, as the first argument of a statement, has the server plan it for the values it
// has each time.
type Planned struct{}

// A Conn is one connection. database/sql sees to it that one goroutine has it at a time.
type Conn struct {
	pg    *pgconn.PgConn
	mode  mode
	known map[string]*statement // by their text
	stale []string              // names of prepared ones to be dropped
	used  time.Time             // when it was last taken from the pool
}

// A statement is what the server said of one.
type statement struct {
	*pgconn.StatementDescription
	results []int16 // the format of each column
}

// mostKnown is how many statements a connection keeps.
const mostKnown = 512

// Idle reports whether the connection is in no transaction.
func (c *Conn) Idle() bool { return c.pg.TxStatus() == 'I' }

// ExecContext runs statements: one with arguments, or any number without.
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.pg.IsClosed() {
		return nil, driver.ErrBadConn
	}
	var done pgconn.CommandTag
	var err error
	if len(args) == 0 {
		all := c.pg.Exec(ctx, query)
		for all.NextResult() {
			done, _ = all.ResultReader().Close() // Close has its error
		}
		err = all.Close()
	} else {
		var rows *pgconn.ResultReader
		if rows, err = c.run(ctx, query, args); err == nil {
			done, err = rows.Close()
		}
	}
	return driver.RowsAffected(done.RowsAffected()), c.failed(query, err)
}

// QueryContext runs a statement and returns its rows, the first of which is there.
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.pg.IsClosed() {
		return nil, driver.ErrBadConn
	}
	read, err := c.run(ctx, query, args)
	if err != nil {
		return nil, c.failed(query, err)
	}
	r := &rows{c: c, query: query, read: read, ahead: true, more: read.NextRow()}
	if !r.more {
		if _, err := read.Close(); err != nil {
			return nil, c.failed(query, err)
		}
	}
	return r, nil
}

// run sends a statement with its arguments.
func (c *Conn) run(ctx context.Context, query string, args []driver.NamedValue) (*pgconn.ResultReader, error) {
	mode := c.mode
	if len(args) > 0 {
		if _, is := args[0].Value.(Planned); is {
			args = args[1:]
			if mode == prepared {
				mode = described
			}
		}
	}
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	if mode == direct {
		return c.pg.ExecParams(ctx, query, values, nil, formats, nil), nil
	}
	st, err := c.statement(ctx, query, mode)
	if err != nil {
		return nil, err
	}
	if mode == described {
		return c.pg.ExecParams(ctx, query, values, st.ParamOIDs, formats, st.results), nil
	}
	return c.pg.ExecStatement(ctx, st.StatementDescription, values, formats, st.results), nil
}

// statement returns the server's description of a statement, prepared on the connection if
// that is the mode. Its name is derived from its text, so that a name means the same to all
// programs that share a pooler's connection.
func (c *Conn) statement(ctx context.Context, query string, mode mode) (*statement, error) {
	name, key := "", query
	switch mode {
	case prepared:
		sum := sha256.Sum256([]byte(query))
		name = "stemma_" + hex.EncodeToString(sum[:16])
	case described:
		key = string(described) + query
	}
	if st := c.known[key]; st != nil && mode != asked {
		return st, nil
	}
	if err := c.makeRoom(ctx); err != nil {
		return nil, err
	}
	description, err := c.pg.Prepare(ctx, name, query, nil)
	if err != nil {
		return nil, err
	}
	st := &statement{StatementDescription: description}
	for _, field := range description.Fields {
		st.results = append(st.results, formatOf(field.DataTypeOID))
	}
	if mode != asked {
		c.known[key] = st
	}
	return st, nil
}

// makeRoom drops a statement if too many are known, and has the server close the dropped ones.
// In a failed transaction the server would not accept that.
func (c *Conn) makeRoom(ctx context.Context) error {
	for other := range c.known {
		if len(c.known) < mostKnown {
			break
		}
		c.forget(other)
	}
	if c.pg.TxStatus() == 'E' {
		return nil
	}
	for len(c.stale) > 0 {
		if err := c.pg.Deallocate(ctx, c.stale[0]); err != nil {
			return err
		}
		c.stale = c.stale[1:]
	}
	return nil
}

// forget drops what is known about a statement.
func (c *Conn) forget(key string) {
	if st := c.known[key]; st != nil && st.Name != "" {
		c.stale = append(c.stale, st.Name)
	}
	delete(c.known, key)
}

// failed returns the error of a statement, as database/sql wants it: what never reached
// the server may be tried on another connection. The statement is asked about again next
// time: the reason may be that a table is another than when it was prepared.
func (c *Conn) failed(query string, err error) error {
	if err == nil {
		return nil
	}
	c.forget(query)
	c.forget(string(described) + query)
	if pgconn.SafeToRetry(err) {
		return driver.ErrBadConn
	}
	return err
}

// Ping asks whether the server is there.
func (c *Conn) Ping(ctx context.Context) error {
	if c.pg.IsClosed() {
		return driver.ErrBadConn
	}
	if err := c.pg.Ping(ctx); err != nil {
		return errors.Join(driver.ErrBadConn, c.Close())
	}
	return nil
}

// ResetSession refuses a connection that is broken or was left within a transaction.
func (c *Conn) ResetSession(ctx context.Context) error {
	if c.pg.IsClosed() || !c.Idle() {
		return driver.ErrBadConn
	}
	now := time.Now()
	if now.Sub(c.used) > time.Second && c.pg.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	c.used = now
	return nil
}

// Close ends the connection.
func (c *Conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return c.pg.Close(ctx)
}

// Prepare refuses: statements are prepared as they are used.
func (c *Conn) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("statements are prepared as they are used")
}

// Begin refuses: transactions begin with a statement.
func (c *Conn) Begin() (driver.Tx, error) {
	return nil, errors.New("a transaction begins with a statement")
}
