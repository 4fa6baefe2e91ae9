package hubstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
)

// mostViews is how many scopes a hub remembers what it has read for.
const mostViews = 1024

type view struct {
	of    session.Scope
	store *sqlstore.Store
	at    *shard
}

// Within returns the store as somebody sees it.
func (h *Hub) Within(ctx context.Context, in store.Sight) (store.Store, error) {
	if h.base.Dialect() != session.Postgres {
		return store.Fenced(named{h.base, in}, in), nil
	}
	at, err := h.placeFor(ctx, in)
	if err != nil {
		return nil, err
	}
	var nos [3][]int
	for i, names := range [][]string{in.Reads, in.Writes, in.Keys} {
		if nos[i], err = at.numbersOf(ctx, names); err != nil {
			return nil, err
		}
	}
	of := session.ScopeOf(nos[0], nos[1], nos[2]).Named(in)
	of.Path = at.path
	h.mu.Lock()
	defer h.mu.Unlock()
	if kept, ok := h.views[of]; ok && kept.Value.(view).at == at {
		h.order.MoveToFront(kept)
		return &seen{kept.Value.(view).store, h, in, at}, nil
	}
	if h.order.Len() >= mostViews {
		last := h.order.Back()
		delete(h.views, last.Value.(view).of)
		h.order.Remove(last) // its users may go on: it holds no connection
	}
	v := view{of, h.base.Seen(of, at.turns), at}
	at.named(h, v.store)
	h.views[of] = h.order.PushFront(v)
	return &seen{v.store, h, in, at}, nil
}

// placeFor returns the shard in which a sight is had: that of what is read and written, or, of keys alone, theirs. Keys
// that are at home elsewhere are then there too, as far as anybody stored them.
func (h *Hub) placeFor(ctx context.Context, in store.Sight) (*shard, error) {
	seen := slices.Concat(in.Reads, in.Writes)
	if len(seen) == 0 {
		seen = in.Keys
	}
	var at *shard
	for _, space := range seen {
		sh, err := h.placeOf(ctx, space)
		if err != nil {
			return nil, err
		}
		if at != nil && at.no != sh.no {
			return nil, fmt.Errorf("%s: spaces in shards %d and %d cannot be seen together", h.base.Name(), at.no, sh.no)
		}
		at = sh
	}
	now, err := h.current(ctx)
	if err != nil {
		return nil, err
	}
	if at == nil || len(now.all) == 1 {
		return cmp.Or(at, now.all[0]), nil
	}
	var guests []string
	for _, space := range in.Keys {
		sh, err := h.find(ctx, now, ownerOf(space)) // it need not serve: its keys were copied
		if err != nil {
			return nil, err
		}
		if sh.no == at.no {
			continue
		}
		guests = append(guests, space)
		if len(in.Writes) > 0 { // to whom writes, a number is what lets keys in
			if _, err := h.guest(ctx, space, at); err != nil {
				return nil, err
			}
		}
	}
	return at, h.caughtUp(ctx, guests)
}

func (sh *shard) numbersOf(ctx context.Context, spaces []string) ([]int, error) {
	var out []int
	for _, name := range spaces {
		no, err := sh.own.Names().Number(ctx, sh.own.Reads(), lists.Spaces, name)
		if err != nil {
			return nil, sh.own.Failed("read the spaces of", err)
		}
		if no != 0 { // one that has not begun has no rows
			out = append(out, no)
		}
	}
	return out, nil
}

// seen is a store within a scope. What policies cannot say it says itself: of a
// space of which the keys are seen, only key records may be added.
type seen struct {
	*sqlstore.Store
	h  *Hub
	in store.Sight
	at *shard
}

// StoreName is the hub's wherever the space lies: what it signs of a log goes on when the space moves.
func (s *seen) StoreName(ctx context.Context) (string, error) { return s.h.own.StoreName(ctx) }

// Shard names where it is: what is kept of it serves for no other place.
func (s *seen) Shard() string { return s.at.own.Name() }

func (s *seen) Append(ctx context.Context, b store.Batch) (int, error) {
	for _, r := range b.Records {
		if err := s.in.Adds(r); err != nil {
			return 0, err
		}
	}
	if s.at.name == "" { // the only one
		return s.Store.Append(ctx, b)
	}
	return s.appendIn(ctx, b)
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

// Spaces reads those in sight: not all of the hub's to leave out the others.
func (s *seen) Spaces(ctx context.Context) ([]store.Space, error) {
	return spacesNamed(ctx, s.Store, sightNames(s.in))
}

// named is a store that reads no spaces but those in sight. The fence is in front of it.
type named struct {
	*sqlstore.Store
	in store.Sight
}

func (n named) Spaces(ctx context.Context) ([]store.Space, error) {
	return spacesNamed(ctx, n.Store, sightNames(n.in))
}

// sightNames are the spaces of which a sight sees anything, each once.
func sightNames(in store.Sight) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(in.Reads, in.Writes, in.Keys))))
}

// spacesNamed returns some spaces with the sizes of their logs, the first that began first.
func spacesNamed(ctx context.Context, s *sqlstore.Store, names []string) ([]store.Space, error) {
	type numbered struct {
		no int
		store.Space
	}
	var all []numbered
	for part := range slices.Chunk(names, session.MostListed) {
		query, args := session.SpreadFor(
			"SELECT no, name, last FROM spaces WHERE name IN (…)", part, func(n string) any { return n },
		)
		err := s.Reads().Each(ctx, func(rows *sql.Rows) error {
			var sp numbered
			err := rows.Scan(&sp.no, &sp.Name, &sp.Last)
			all = append(all, sp)
			return err
		}, query, args...)
		if err != nil {
			return nil, s.Failed("list the spaces of", err)
		}
	}
	sorting.By(all, func(a, b numbered) int { return cmp.Compare(a.no, b.no) })
	var out []store.Space
	for _, sp := range all {
		out = append(out, sp.Space)
	}
	return out, nil
}
