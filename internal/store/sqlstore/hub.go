package sqlstore

import (
	lru "container/list"
	"context"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
)

// mostViews is how many scopes a hub remembers what it has read for.
const mostViews = 1024

// hubConns is how many connections a hub takes unless its address says it.
const hubConns = 24

// hubWriters is how many write at once in one process; the others wait their turn.
// Transactions are serializable, and an append reads what every other adds to (the
// keys, the names): of many at once most would be undone and tried again, some until
// they give up.
const hubWriters = 2

// A Hub is a database that many share. On PostgreSQL row-level security keeps
// them apart; on SQLite, which has none, the fence in front of the store does.
type Hub struct {
	base  *Store
	own   *Store // sees the hub's own tables and the names of spaces, and no record
	turns chan struct{}

	mu    sync.Mutex
	views map[scope]*lru.Element
	order lru.List // the last used first

	owned owners
}

type view struct {
	of    scope
	store *Store
}

var _ store.Hub = (*Hub)(nil)

// OpenHub opens the database of a hub. On PostgreSQL it must have been migrated,
// and the role must be one that row-level security binds: otherwise the error is
// store.ErrRole.
func OpenHub(ctx context.Context, spec string, o Options) (*Hub, error) {
	o.shared, o.ReadOnly = true, false
	s, err := Open(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	h := &Hub{base: s, own: s, views: make(map[scope]*lru.Element)}
	if s.d == postgresDialect {
		h.turns = make(chan struct{}, hubWriters)
		h.own = s.within(scope{hub: "on"}, h.turns)
	}
	return h, nil
}

// openShared checks what a hub finds: it makes no schema and no roles itself.
func (s *Store) openShared(ctx context.Context, conns int) error {
	if conns < 2 {
		return fmt.Errorf("the address is not understood: a hub needs at least 2 connections, %s is %d", poolSize, conns)
	}
	have, err := s.version(ctx, s.read)
	if pgCode(err) == pgForbidden {
		have, err = 0, nil
	}
	if err != nil {
		return err
	}
	files, err := fs.ReadDir(migrations, s.d.Migration)
	switch {
	case err != nil:
		return err
	case have > len(files):
		return fmt.Errorf(
			"%w: it has version %d, this one knows %d; bring this program up to date too", store.ErrNewer, have,
			len(files),
		)
	case have < len(files):
		return fmt.Errorf("%w: it has version %d and must first be brought to %d with 'stemma hub migrate --admin ADDRESS'",
			store.ErrReadOnly, have, len(files))
	}
	return s.checkRole(ctx)
}

// within returns the store as one scope sees it. It shares the connections and
// nothing that was read: what one may see must not answer for another.
func (s *Store) within(of scope, turns chan struct{}) *Store {
	v := &Store{
		d: s.d, name: s.name, now: s.now, names: newNames(), rand: s.rand, shared: true,
		readers: nil, read: newSession(s.d, s.readers, false), writing: make(chan struct{}, 1),
		write: &postgresWriter{db: s.readers, as: &of, turns: turns},
	}
	v.read.as = &of
	v.writing <- struct{}{}
	return v
}

// Within returns the store as somebody sees it.
func (h *Hub) Within(ctx context.Context, in store.Sight) (store.Store, error) {
	if h.base.d != postgresDialect {
		return store.Fenced(named{h.base, in}, in), nil
	}
	var nos [3][]int
	for i, names := range [][]string{in.Reads, in.Writes, in.Keys} {
		var err error
		if nos[i], err = h.numbersOf(ctx, names); err != nil {
			return nil, err
		}
	}
	of := scopeOf(nos[0], nos[1], nos[2])
	h.mu.Lock()
	defer h.mu.Unlock()
	if at, ok := h.views[of]; ok {
		h.order.MoveToFront(at)
		return &seen{at.Value.(view).store, h, in}, nil
	}
	if h.order.Len() >= mostViews {
		last := h.order.Back()
		delete(h.views, last.Value.(view).of)
		h.order.Remove(last) // whoever uses it still may: it holds no connection
	}
	v := view{of, h.base.within(of, h.turns)}
	h.views[of] = h.order.PushFront(v)
	return &seen{v.store, h, in}, nil
}

// seen is a store within a scope. What policies cannot say it says itself: of a
// space of which the keys are seen, only key records may be added.
type seen struct {
	*Store
	h  *Hub
	in store.Sight
}

func (s *seen) Append(ctx context.Context, b store.Batch) (int, error) {
	for _, r := range b.Records {
		if err := s.in.Adds(r); err != nil {
			return 0, err
		}
	}
	return s.Store.Append(ctx, b)
}

// Note and SwapNote are of the program that serves, and kept where no caller sees.
func (s *seen) Note(ctx context.Context, name string) ([]byte, error) { return s.h.own.Note(ctx, name) }
func (s *seen) SwapNote(ctx context.Context, name string, old, now []byte) error {
	return s.h.own.SwapNote(ctx, name, old, now)
}
func (s *seen) NoteNames(ctx context.Context, begin string) ([]string, error) {
	return s.h.own.NoteNames(ctx, begin)
}

// Close does nothing: the connections are the hub's.
func (s *seen) Close() error { return nil }

func (h *Hub) numbersOf(ctx context.Context, spaces []string) ([]int, error) {
	var out []int
	for _, name := range spaces {
		no, err := h.own.names.number(ctx, h.own.read, spaceList, name)
		if err != nil {
			return nil, h.own.failed("read the spaces of", err)
		}
		if no != 0 { // one that has not begun has no rows
			out = append(out, no)
		}
	}
	return out, nil
}

// Totals returns the sizes of all logs.
func (h *Hub) Totals(ctx context.Context) ([]store.Space, error) { return h.own.Spaces(ctx) }

// Alive reports whether the database answers.
func (h *Hub) Alive(ctx context.Context) error {
	var one int
	_, err := h.own.read.one(ctx, []any{&one}, "SELECT 1")
	return h.own.failed("reach", err)
}

// Close gives back the connections.
func (h *Hub) Close() error { return h.base.Close() }

// Name is how the database is named in errors and reports, without its password.
func (h *Hub) Name() string { return h.base.name }

// OnServer reports whether spec names a database on a server, which is migrated
// by its owner and not by whoever opens it.
func OnServer(spec string) bool {
	return strings.HasPrefix(spec, "postgres://") || strings.HasPrefix(spec, "postgresql://")
}
