package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sync"

	"github.com/stemma-memory/stemma/internal/store"
)

// AddSpace begins a space.
func (h *Hub) AddSpace(ctx context.Context, space string) error {
	if begun, err := h.Begun(ctx, space); begun || err != nil {
		return err
	}
	return h.own.change(ctx, "begin a space in", func(ctx context.Context, w *session) error {
		_, err := h.own.names.intern(ctx, w, spaceList, space)
		return err
	})
}

// Begun reports whether a space has begun.
func (h *Hub) Begun(ctx context.Context, space string) (bool, error) {
	no, err := h.own.names.number(ctx, h.own.read, spaceList, space)
	return no != 0, h.own.failed("read the spaces of", err)
}

// owners remembers whose the spaces are that have begun. They have numbers in the
// order in which they began, and none goes, so that only later ones are ever read.
type owners struct {
	mu     sync.Mutex
	last   int
	spaces map[string][]string
}

// SpacesOf names those of an owner.
func (h *Hub) SpacesOf(ctx context.Context, owner string) ([]string, error) {
	o := &h.owned
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.spaces == nil {
		o.spaces = make(map[string][]string)
	}
	err := h.each(ctx, "read the spaces of", func(rows *sql.Rows) error {
		var no int
		var name string
		if err := rows.Scan(&no, &name); err != nil {
			return err
		}
		of := store.OwnerOf(name)
		o.last, o.spaces[of] = no, append(o.spaces[of], name)
		return nil
	}, "SELECT no, name FROM spaces WHERE no > ? ORDER BY no", o.last)
	return slices.Sorted(slices.Values(o.spaces[owner])), err
}

// spacesNamed returns some spaces with the sizes of their logs, the first that began first.
func (s *Store) spacesNamed(ctx context.Context, names []string) ([]store.Space, error) {
	type numbered struct {
		no int
		store.Space
	}
	var all []numbered
	for part := range slices.Chunk(names, mostListed) {
		query, args := spreadFor("SELECT no, name, last FROM spaces WHERE name IN (…)", part, func(n string) any { return n })
		err := s.read.each(ctx, func(rows *sql.Rows) error {
			var sp numbered
			err := rows.Scan(&sp.no, &sp.Name, &sp.Last)
			all = append(all, sp)
			return err
		}, query, args...)
		if err != nil {
			return nil, s.failed("list the spaces of", err)
		}
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.no, b.no) })
	var out []store.Space
	for _, sp := range all {
		out = append(out, sp.Space)
	}
	return out, nil
}

// sightNames are the spaces of which a sight sees anything, each once.
func sightNames(in store.Sight) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(in.Reads, in.Writes, in.Keys))))
}

// Spaces reads those in sight: not all of the hub's to leave out the others.
func (s *seen) Spaces(ctx context.Context) ([]store.Space, error) {
	return s.Store.spacesNamed(ctx, sightNames(s.in))
}

// named is a store that reads no spaces but those in sight. The fence is in front of it.
type named struct {
	*Store
	in store.Sight
}

func (n named) Spaces(ctx context.Context) ([]store.Space, error) {
	return n.Store.spacesNamed(ctx, sightNames(n.in))
}
