package store

import (
	"context"
	"iter"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// SeenFrom returns a store whose items are as they are in one place: here changes the state of each that is read, and
// lists leave out what is of another place, unless what is hidden is asked for.
func SeenFrom(
	s Store, here func(ctx context.Context, s Store, it *Item) error, elsewhere func(it *Item) bool,
) Store {
	return &seenFrom{s, here, elsewhere}
}

// Plain returns a store as all callers read it.
func Plain(s Store) Store {
	if p, ok := s.(*seenFrom); ok {
		return p.Store
	}
	return s
}

type seenFrom struct {
	Store
	here      func(ctx context.Context, s Store, it *Item) error
	elsewhere func(it *Item) bool
}

// Get returns items as they are in this place.
func (p *seenFrom) Get(ctx context.Context, ids ...memory.ID) ([]*Item, error) {
	items, err := p.Store.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if err := p.here(ctx, p.Store, it); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// List leaves out what was replaced in this place, unless what is hidden is asked for.
func (p *seenFrom) List(ctx context.Context, q Query) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		all := q
		all.Limit = 0
		given := 0
		for it, err := range p.Store.List(ctx, all) {
			if err == nil {
				err = p.here(ctx, p.Store, it)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !q.Hidden && (!it.State.Live() || p.elsewhere(it)) {
				continue
			}
			if given++; !yield(it, nil) || given == q.Limit {
				return
			}
		}
	}
}

// Descendants goes by the tables, as the store does.
func (p *seenFrom) Descendants(
	ctx context.Context, roots ...memory.ID,
) (ids []memory.ID, own int, arrows [][2]int32, outside []graph.Edge, ok bool, err error) {
	if quick, is := p.Store.(graph.Descender); is {
		return quick.Descendants(ctx, roots...)
	}
	return nil, 0, nil, nil, false, nil
}
