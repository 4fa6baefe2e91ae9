package session

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"github.com/stemma-memory/stemma/internal/live"
)

// A connector opens connections to one file, which counts as open here until the
// database is closed.
type connector struct {
	name  string
	by    driver.Driver
	leave func() error
}

// OpenFile is sql.Open for a store's file, which must be there. It is the only way to
// one: see package live.
func OpenFile(path, name string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	by := db.Driver()
	if err := db.Close(); err != nil { // it connected to nothing
		return nil, err
	}
	leave, err := live.Enter(path)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(&connector{name, by, leave}), nil
}

func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.by.Open(c.name) }
func (c *connector) Driver() driver.Driver                        { return c.by }

// Close is called when the database is closed.
func (c *connector) Close() error { return c.leave() }
