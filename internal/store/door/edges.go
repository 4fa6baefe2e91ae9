package door

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/proof"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Edges returns the arrows of the tables, and those of claims that the tables lack and the
// records have: who takes the arrow of a dispute away must not silence it.
func (d *Store) Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error) {
	edges, err := d.Store.Edges(ctx, dir, ids...)
	if err != nil || dir != graph.Forward || d.book == nil {
		return edges, err
	}
	v, err := d.current(ctx)
	if err != nil || v.untrusted != "" {
		return edges, err // where nothing is lifted nothing need be found
	}
	from := speakers(edges)
	for _, id := range ids {
		more, err := d.missing(ctx, v, id, from[id])
		if err != nil {
			return nil, err
		}
		edges = append(edges, more...)
	}
	return edges, nil
}

// sum is what the book would have of a record if these were all that say something of it.
func (d *Store) sum(from []memory.ID) (sum proof.Sum) {
	for _, f := range from {
		sum = sum.Plus(d.book.Hash(f))
	}
	return sum
}

// missing returns the arrows to a record that the tables do not have.
func (d *Store) missing(ctx context.Context, v *view, id memory.ID, from []memory.ID) ([]graph.Edge, error) {
	v.mu.Lock()
	kind, known := v.kinds[id]
	v.mu.Unlock()
	if !known {
		return nil, nil // it was not read here
	}
	want, err := d.book.Said(memory.Ref{Kind: kind, ID: id})
	if err != nil {
		return nil, nil // it is unverified for that reason
	}
	if d.sum(from) == want {
		return nil, nil
	}
	// What came since is in the tables as they are now, and need not be looked for in the whole log.
	ctx = store.Fresh(ctx)
	now, err := d.Store.Edges(ctx, graph.Forward, id)
	if err != nil {
		return nil, err
	}
	if d.sum(speakers(now)[id]) == want {
		return slices.DeleteFunc(now, func(e graph.Edge) bool {
			return !slices.Contains(claimRels, e.Rel) || slices.Contains(from, e.From)
		}), nil
	}
	speakers, err := v.speaking(ctx, d, id)
	if err != nil {
		return nil, err
	}
	items, err := d.Store.Get(
		ctx,
		slices.DeleteFunc(slices.Clone(speakers), func(s memory.ID) bool { return slices.Contains(from, s) })...,
	)
	if err != nil {
		return nil, err
	}
	var out []graph.Edge
	for _, r := range d.soundOf(items) {
		for _, e := range graph.Edges(r) {
			if e.To == id && slices.Contains(claimRels, e.Rel) {
				out = append(out, e)
			}
		}
	}
	return out, nil
}
