// Package sqlstore keeps records in SQLite or PostgreSQL. It is the only place
// with SQL; how the two differ is said in Dialect and in the two files that
// open them.
package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
)

// Options say how a store is opened.
type Options = store.Options

var _ store.Store = (*Store)(nil)

// Open opens the store that spec names, and creates it if it does not exist: "sqlite:PATH" or
// a bare path, or "postgres://…", where search_path names the schema. For a store of a newer
// version it returns store.ErrNewer.
func Open(ctx context.Context, spec string, o Options) (*Store, error) {
	return openStore(ctx, spec, o, false)
}

// openStore opens a store; shared is one that many use: see OpenHub.
func openStore(ctx context.Context, spec string, o Options, shared bool) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	s := &Store{
		now: o.Now, readOnly: o.ReadOnly, shared: shared, cache: o.Cache, rand: o.Rand, patience: o.Patience, like: o.Like,
		names: lists.New(), writing: make(chan struct{}, 1),
	}
	s.writing <- struct{}{}
	var err error
	switch {
	case store.IsPostgres(spec):
		err = s.openPostgres(ctx, spec)
	case spec == "" || spec == "sqlite:":
		return nil, errors.New("open a store: no path was given")
	default:
		err = s.openSQLite(ctx, strings.TrimPrefix(spec, "sqlite:"))
	}
	if err != nil {
		return nil, errors.Join(s.Failed("open", err), s.Close())
	}
	return s, nil
}
