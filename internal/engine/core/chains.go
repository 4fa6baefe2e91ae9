package core

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A chain is a memory and what took its place since, each replaced by the next.
type Chain []*store.Item

func (c Chain) First() *store.Item { return c[0] }

func (c Chain) Last() *store.Item { return c[len(c)-1] }

func (c Chain) Has(id memory.ID) bool {
	return slices.ContainsFunc(c, func(it *store.Item) bool { return it.Ref.ID == id })
}

// chains gives what took the place of memories, as of a time; zero is now. What is
// not held, or was purged, has no chain. A chain ends where the successor is not held.
func (e *Core) Chains(ctx context.Context, at memory.Time, items []*store.Item) ([]Chain, error) {
	out := make([]Chain, len(items))
	known := make(map[memory.ID]*store.Item)
	for i, it := range items {
		if it != nil && it.Record != nil {
			out[i], known[it.Ref.ID] = Chain{it}, it
		}
	}
	for {
		var ask []memory.ID
		for i, c := range out {
			if len(c) == 0 {
				continue
			}
			for {
				next := c.Last().State.SupersededBy
				if next.IsZero() || c.Has(next) {
					break
				}
				it, asked := known[next]
				if !asked && !slices.Contains(ask, next) {
					ask = append(ask, next)
				}
				if it == nil {
					break
				}
				c = append(c, it)
			}
			out[i] = c
		}
		if len(ask) == 0 {
			return out, nil
		}
		more, err := e.ItemsAt(ctx, at, ask...)
		if err != nil {
			return nil, err
		}
		for i, it := range more {
			known[ask[i]] = it
		}
	}
}

// itemsAt gives records as they were known at a time, in the order of ids; zero is
// now. nil is what is not held, was purged, or was not known then.
func (e *Core) ItemsAt(ctx context.Context, at memory.Time, ids ...memory.ID) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, Sorted(err)
	}
	for i, it := range items {
		if it == nil || it.Record == nil {
			items[i] = nil
		} else if !at.IsZero() {
			if items[i], err = e.AsOf(ctx, it, at.Time); err != nil {
				return nil, Sorted(err)
			}
		}
	}
	return items, nil
}
