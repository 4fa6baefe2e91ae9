package lineage

import (
	"context"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// A Blast is what rests on some records.
type Blast struct {
	Order    []memory.ID             // everything that rests on the roots, nearest first
	Parent   map[memory.ID]memory.ID // one step nearer to a root
	Survives map[memory.ID]bool      // those that also stand on independent sources
	Grounds  map[memory.ID][]memory.ID
}

// Radius finds everything that rests on roots, directly or not. A record
// survives when one of its sources neither is a root nor rests on one, or is
// itself a survivor; Grounds names those sources.
func Radius(ctx context.Context, g Graph, roots ...memory.ID) (*Blast, error) {
	b := &Blast{
		Parent:   make(map[memory.ID]memory.ID),
		Survives: make(map[memory.ID]bool), Grounds: make(map[memory.ID][]memory.ID),
	}
	root := make(map[memory.ID]bool, len(roots))
	for _, id := range roots {
		root[id] = true
	}
	if quick, ok := g.(graph.Descender); ok {
		if done, err := b.descend(ctx, quick, roots); done || err != nil {
			return b, err
		}
	}
	for level := roots; len(level) > 0; {
		edges, err := g.Edges(ctx, graph.Forward, level...)
		if err != nil {
			return nil, err
		}
		level = nil
		for _, e := range edges {
			_, seen := b.Parent[e.From]
			if e.Rel != graph.DerivedFrom || seen || root[e.From] {
				continue
			}
			b.Parent[e.From] = e.To
			b.Order = append(b.Order, e.From)
			level = append(level, e.From)
		}
	}
	return b, b.judge(ctx, g, root)
}

// judge finds the survivors. A record is looked at again when a source of it
// turns out to survive.
func (b *Blast) judge(ctx context.Context, g Graph, root map[memory.ID]bool) error {
	if len(b.Order) == 0 {
		return nil
	}
	back, err := g.Edges(ctx, graph.Back, b.Order...)
	if err != nil {
		return err
	}
	derived := make(map[memory.ID][]memory.ID) // within the blast
	var outside []graph.Edge
	for _, e := range back {
		if e.Rel != graph.DerivedFrom {
			continue
		}
		_, hit := b.Parent[e.To]
		switch {
		case hit:
			derived[e.To] = append(derived[e.To], e.From)
		case !root[e.To]:
			outside = append(outside, e)
		}
	}
	b.survive(outside, derived)
	return nil
}

// Path returns the way from a root to id, both included.
func (b *Blast) Path(id memory.ID) []memory.ID {
	path := []memory.ID{id}
	for p, ok := b.Parent[id]; ok; p, ok = b.Parent[p] {
		path = append([]memory.ID{p}, path...)
	}
	return path
}
