package session

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/codec"
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
	name, err := throughCodec(path, name)
	if err != nil {
		return nil, err
	}
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

// throughCodec returns the driver's name for a file with the VFS that decrypts it, where it is
// encrypted.
func throughCodec(path, name string) (string, error) {
	key, err := atrest.KeyOf(path)
	if err != nil {
		return "", err
	}
	if err := atrest.Opened(path, key); err != nil || key == nil {
		return name, nil // the next to open a file that is not there says so
	}
	head, base, named := strings.Cut(name, "vfs=")
	base, rest, more := strings.Cut(base, "&")
	vfs, err := codec.Name(key, base)
	switch {
	case err != nil:
		return "", err
	case !named:
		return name + "&vfs=" + vfs, nil
	case more:
		rest = "&" + rest
	}
	return head + "vfs=" + vfs + rest, nil
}

func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.by.Open(c.name) }
func (c *connector) Driver() driver.Driver                        { return c.by }

// Close is called when the database is closed.
func (c *connector) Close() error { return c.leave() }
