package core

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A Chain is a memory and what took its place since, each replaced by the next.
type Chain []*store.Item

func (c Chain) First() *store.Item { return c[0] }

func (c Chain) Last() *store.Item { return c[len(c)-1] }

// TakenBack reports whether an undo took back what the chain begins with: it says again what that had replaced.
func (c Chain) TakenBack() bool {
	for i, it := range c {
		if it.Record == nil || i == 0 {
			continue
		}
		if was, is := store.Restores(it.Record); is && !c[:i].Has(was) {
			return true
		}
	}
	return false
}

func (c Chain) Has(id memory.ID) bool {
	return slices.ContainsFunc(c, func(it *store.Item) bool { return it.Ref.ID == id })
}

// Chains returns the revisions that replaced memories, as of a time (zero is now). A record
// that is not held or was purged has no chain. A chain ends where the successor is not held.
func (e *Core) Chains(ctx context.Context, at memory.Time, items []*store.Item) ([]Chain, error) {
	out := make([]Chain, len(items))
	known := make(map[memory.ID]*store.Item)
	long := make([]map[memory.ID]bool, len(items)) // what a long chain has
	has := func(i int, c Chain, id memory.ID) bool {
		const few = 32
		if len(c) < few {
			return c.Has(id)
		}
		if long[i] == nil {
			long[i] = make(map[memory.ID]bool)
			for _, it := range c {
				long[i][it.Ref.ID] = true
			}
		}
		long[i][c.Last().Ref.ID] = true
		return long[i][id]
	}
	for i, it := range items {
		if it != nil && it.Record != nil {
			out[i], known[it.Ref.ID] = Chain{it}, it
		}
	}
	for {
		var ask []memory.ID
		asking := make(map[memory.ID]bool)
		for i, c := range out {
			if len(c) == 0 {
				continue
			}
			for {
				next := c.Last().State.SupersededBy
				if next.IsZero() || has(i, c, next) {
					break
				}
				it, asked := known[next]
				if !asked && !asking[next] {
					asking[next] = true
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

// ItemsAt returns records as they were known at a time (zero is now), in the order of ids; nil
// for a record that is not held, was purged, or was not known then.
func (e *Core) ItemsAt(ctx context.Context, at memory.Time, ids ...memory.ID) ([]*store.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := e.Read(ctx).Get(ids...)
	if err != nil {
		return nil, Classify(err)
	}
	for i, it := range items {
		if it == nil || it.Record == nil {
			items[i] = nil
		} else if !at.IsZero() {
			if items[i], err = e.AsOf(ctx, it, at.Time()); err != nil {
				return nil, Classify(err)
			}
		}
	}
	return items, nil
}

// Latest returns the current memory of the chain, nil if there is none.
func (c Chain) Latest() *store.Item {
	if len(c) == 0 {
		return nil
	}
	return c.Last()
}

// Shortened returns a full ref as people read it.
func Shortened(ref string) string {
	var r memory.Ref
	if r.UnmarshalText([]byte(ref)) != nil {
		return ref
	}
	return r.Short()
}

// until says when a memory that was replaced stopped to hold: where what took its place begins, or where that was
// written if it names no beginning. The zero time is that nothing took its place.
func (c Chain) until(i int) (at time.Time) {
	for _, next := range c[i+1:] {
		from := next.Record.Header.ValidFrom
		if from.IsZero() {
			from = next.Record.Header.At
		}
		if at.IsZero() || from.Time().Before(at) {
			at = from.Time()
		}
	}
	return at
}

// HeldAt returns the memory of a chain that was valid at a time, and the time at which another
// replaced it; nil if none was. A rejected, forgotten or quarantined memory is never valid.
func (c Chain) HeldAt(at time.Time) (*store.Item, time.Time) {
	for i, it := range c {
		s := it.State
		replaced := !s.SupersededBy.IsZero()
		s.SupersededBy = memory.ID{}
		if !s.Live() || !Holds(it.Record, at) {
			continue
		}
		until := c.until(i)
		if !replaced || i < len(c)-1 && at.Before(until) {
			return it, until
		}
	}
	return nil, time.Time{}
}

// HeldUntil reports whether a memory that was replaced held at a time, and until when.
func (e *Core) HeldUntil(ctx context.Context, it *store.Item, asOf memory.Time, at time.Time) (time.Time, bool, error) {
	if it.State.SupersededBy.IsZero() {
		return time.Time{}, false, nil
	}
	chains, err := e.Chains(ctx, asOf, []*store.Item{it})
	if err != nil {
		return time.Time{}, false, err
	}
	held, until := chains[0].HeldAt(at)
	return until, held == it, nil
}

// NotYet reports whether a memory had not begun at a time: it names no beginning, and took the place of another by a
// decision about the two, so that it begins when it was written.
func (e *Core) NotYet(ctx context.Context, it *store.Item, asOf memory.Time, at time.Time) (bool, error) {
	h := &it.Record.Header
	if !h.ValidFrom.IsZero() || !at.Before(h.At.Time()) {
		return false, nil
	}
	edges, err := e.Store.Edges(ctx, graph.Forward, it.Ref.ID)
	if err != nil {
		return false, Classify(err)
	}
	var links []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.LinkTarget {
			links = append(links, edge.From)
		}
	}
	items, err := e.ItemsAt(ctx, asOf, links...)
	if err != nil {
		return false, err
	}
	var older []memory.ID
	for _, l := range Present(items) {
		if b, ok := l.Record.Body.(*memory.Link); ok && b.Relation == memory.Update {
			older = append(older, b.Source.ID)
		}
	}
	items, err = e.ItemsAt(ctx, asOf, older...)
	return slices.ContainsFunc(Present(items), func(o *store.Item) bool {
		return o.State.SupersededBy == it.Ref.ID
	}), err
}
