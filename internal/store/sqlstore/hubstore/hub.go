// Package hubstore is a database that many share: its accounts and their rights, and a view of the store for each
// sight, in one shard or in several.
package hubstore

import (
	lru "container/list"
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// hubWriters is how many write at once in one process; the others wait their turn.
// Transactions are serializable, and an append reads what every other append changes (the
// keys, the names): of many at once most would be rolled back and retried, some until they
// give up.
const hubWriters = 2

// owners remembers whose the spaces are that have begun. They have numbers in the
// order in which they began, and none goes, so that only later ones are ever read.
type owners struct {
	mu     sync.Mutex
	last   int
	spaces map[string][]string
}

// A Hub is a database that many share. On PostgreSQL row-level security keeps
// them apart; on SQLite, which has none, the fence in front of the store does.
type Hub struct {
	base   *sqlstore.Store
	own    *sqlstore.Store // sees the hub's own tables and the names of spaces of the first shard, and no record
	shards lastShards
	types  string // the schema of the types of vectors; "" is none

	mu    sync.Mutex
	views map[session.Scope]*lru.Element
	order lru.List // the last used first
}

var _ store.Hub = (*Hub)(nil)

// Open opens the database of a hub. On PostgreSQL it must have been migrated,
// and the role must be one that row-level security binds: otherwise the error is
// store.ErrRole.
func Open(ctx context.Context, spec string, o sqlstore.Options) (*Hub, error) {
	s, err := sqlstore.OpenShared(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	h := &Hub{base: s, views: make(map[session.Scope]*lru.Element)}
	first := h.shard(0, "", "", 0)
	h.own, h.shards.now = first.own, &shards{all: []*shard{first}}
	if s.Dialect() == session.Postgres {
		if _, err := s.Reads().One(ctx, []any{&h.types}, typesIn); err != nil {
			return nil, errors.Join(s.Failed("open", err), s.Close())
		}
	}
	return h, nil
}

// Totals returns the sizes of all logs.
func (h *Hub) Totals(ctx context.Context) (out []store.Space, err error) {
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	for _, sh := range now.all {
		some, err := h.homes(ctx, sh)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// Alive reports whether the database answers.
func (h *Hub) Alive(ctx context.Context) error {
	var one int
	_, err := h.own.Reads().One(ctx, []any{&one}, "SELECT 1")
	return h.own.Failed("reach", err)
}

// Pool counts the connections.
func (h *Hub) Pool() store.Pool {
	all := h.base.Connections().Stats()
	return store.Pool{InUse: all.InUse, Most: all.MaxOpenConnections, Waits: all.WaitCount, Retries: h.base.Retries()}
}

// Close closes the connections.
func (h *Hub) Close() error { return h.base.Close() }

// Name is how the database is named in errors and reports, without its password.
func (h *Hub) Name() string { return h.base.Name() }

func (h *Hub) each(ctx context.Context, doing string, scan func(*sql.Rows) error, query string, args ...any) error {
	return h.own.Failed(doing, h.own.Reads().Each(ctx, scan, query, args...))
}
