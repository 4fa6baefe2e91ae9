package hubstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// A Move is what MoveShard did.
type Move struct {
	Shard  int    `json:"shard"`
	Schema string `json:"schema"`
	Node   string `json:"node"`
}

// MoveShard has Citus move a shard to another node, as HOST:PORT. What is written to the shard waits meanwhile;
// everything else goes on.
func MoveShard(ctx context.Context, admin string, no int, node string) (out Move, err error) {
	host, portText, err := net.SplitHostPort(node)
	port, number := strconv.Atoi(portText)
	if err != nil || number != nil {
		return out, fmt.Errorf("a node is named HOST:PORT, as Citus knows it, not %q", node)
	}
	s, err := sqlstore.Open(ctx, admin, sqlstore.Options{})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	all, err := listShards(ctx, s)
	if err != nil {
		return out, err
	}
	if len(all) == 0 {
		name, err := schemaNow(ctx, s)
		if err != nil {
			return out, err
		}
		all = []placed{{name: name}}
	}
	at := slices.IndexFunc(all, func(l placed) bool { return l.no == no })
	if at < 0 {
		return out, fmt.Errorf("the hub has no shard %d: it has 0 to %d", no, all[len(all)-1].no)
	}
	var citus int
	if _, err := s.Reads().One(ctx, []any{&citus}, session.HasCitus); err != nil {
		return out, s.Failed("move a shard of", err)
	}
	if citus == 0 {
		return out, errors.New("the database is one server: only Citus has nodes to move a shard to")
	}
	conn, err := s.Connections().Conn(ctx) // the lock is the connection's; the move is no part of a transaction
	if err != nil {
		return out, s.Failed("move a shard of", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	on := session.New(s.Dialect(), conn, false)
	var free bool
	if _, err := on.One(ctx, []any{&free}, oneMoveOf+"_lock"+ofThisHub); err != nil {
		return out, s.Failed("move a shard of", err)
	}
	if !free {
		return out, fmt.Errorf("%w: another split or move of this hub is under way; try again after it", store.ErrBusy)
	}
	// Without block_writes Citus would replicate the tables, which PostgreSQL refuses where they have row-level security.
	const move = "SELECT citus_schema_move(?::text::regnamespace, ?::text, ?::int, 'block_writes')"
	if err := on.Each(
		ctx, func(*sql.Rows) error { return nil }, move, session.Quoted(all[at].name), host, port,
	); err != nil {
		return out, s.Failed("move a shard of", err)
	}
	return Move{no, all[at].name, node}, nil
}
