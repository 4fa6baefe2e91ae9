package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// What follows is what a hub, which is tables of its own around a store that many share, asks of the store.

// OpenShared opens a store that many share. On PostgreSQL it must have been migrated, and the role must be one that
// row-level security binds: otherwise the error is store.ErrRole.
func OpenShared(ctx context.Context, spec string, o Options) (*Store, error) {
	o.ReadOnly = false
	s, err := openStore(ctx, spec, o, true)
	if err != nil {
		return nil, err
	}
	s.retries = new(atomic.Int64)
	return s, nil
}

// Connect returns the database on a server, of whose schema nothing is known.
func Connect(spec string) (*Store, error) {
	s := &Store{}
	if err := s.connectPostgres(spec); err != nil {
		return nil, fmt.Errorf("open %s: %w", s.name, err)
	}
	return s, nil
}

// Seen returns the store as one scope sees it. It shares the connections and
// nothing that was read: what one may see must not answer for another.
func (s *Store) Seen(of session.Scope, turns chan struct{}) *Store {
	v := &Store{
		d: s.d, name: s.name, now: s.now, names: lists.New(), rand: s.rand, shared: true,
		retries: s.retries, spread: s.spread, readers: nil, read: session.New(s.d, s.readers, false),
		writing: make(chan struct{}, 1),
		write:   &session.PostgresWriter{Db: s.readers, As: &of, Turns: turns, Spread: s.spread},
	}
	v.read.As, v.read.Spread = &of, s.spread
	v.writing <- struct{}{}
	return v
}

// CallShard has the errors of the store name a shard of its hub.
func (s *Store) CallShard(no *int, name string) { s.name, s.shard = name, no }

// Dialect returns which database it is.
func (s *Store) Dialect() *session.Dialect { return s.d }

// Name returns how the store is named in errors, without a password.
func (s *Store) Name() string { return s.name }

// Now returns the time by the store's clock.
func (s *Store) Now() time.Time { return s.now() }

// Names returns the names that rows use by number.
func (s *Store) Names() *lists.Names { return s.names }

// Reads returns what reads it.
func (s *Store) Reads() *session.Session { return s.read }

// Connections returns the connections that read, and of a store that is shared, all of them.
func (s *Store) Connections() *sql.DB { return s.readers }

// Retries counts the transactions that were tried again.
func (s *Store) Retries() int64 { return s.retries.Load() }

// Versions returns the version of the schema and the one that this program makes.
func (s *Store) Versions(ctx context.Context) (have, want int, err error) {
	if have, err = s.version(ctx, s.read); err == nil {
		want, err = versionOf(s.d)
	}
	return have, want, err
}

// AppendWith is Append; key records alone may be added to guests, which are spaces that are at home in another shard.
func (s *Store) AppendWith(ctx context.Context, b store.Batch, guests []string) (int, error) {
	return s.append(ctx, b, guests, 0)
}
