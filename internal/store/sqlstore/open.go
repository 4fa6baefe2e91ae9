// Package sqlstore keeps records in SQLite or PostgreSQL. It is the only place
// with SQL; how the two differ is said in Dialect and in the two files that
// open them.
package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
)

// Options say how a store is opened. The zero value reads and writes by the
// clock of the machine.
type Options struct {
	Now      func() time.Time
	ReadOnly bool

	// Cache is a directory for data that can be derived again from the store. "" is next to
	// the database if that is a file; otherwise the data stays in memory.
	Cache string
	Rand  io.Reader // for random numbers that distinguish a database from its own backup

	// Patience is how long SQLite waits for others that write; 0 is ten seconds.
	Patience time.Duration

	shared bool // by many: see OpenHub
}

var _ store.Store = (*Store)(nil)

// Open opens the store that spec names, and creates it if it does not exist: "sqlite:PATH" or
// a bare path, or "postgres://…", where search_path names the schema. For a store of a newer
// version it returns store.ErrNewer.
func Open(ctx context.Context, spec string, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	s := &Store{
		now: o.Now, readOnly: o.ReadOnly, shared: o.shared, cache: o.Cache, rand: o.Rand, patience: o.Patience,
		names: newNames(), writing: make(chan struct{}, 1),
	}
	s.writing <- struct{}{}
	var err error
	switch {
	case IsPostgres(spec):
		err = s.openPostgres(ctx, spec)
	case spec == "" || spec == "sqlite:":
		return nil, errors.New("open a store: no path was given")
	default:
		err = s.openSQLite(ctx, strings.TrimPrefix(spec, "sqlite:"))
	}
	if err != nil {
		return nil, errors.Join(s.failed("open", err), s.Close())
	}
	return s, nil
}
