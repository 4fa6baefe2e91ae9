// Package lineage walks the family tree of records: where one came from, what
// came of it, and what would fall with it. It is pure: it asks a Graph for one
// hop at a time and knows no store.
package lineage

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// A Graph gives the arrows one hop from any of ids: those that leave them
// (Back) or reach them (Forward).
type Graph interface {
	Edges(ctx context.Context, dir graph.Direction, ids ...memory.ID) ([]graph.Edge, error)
}

// A Tree is what a walk saw, each record once.
type Tree struct {
	Root     memory.ID
	Dir      graph.Direction
	Order    []memory.ID               // breadth first, the root first
	Depth    map[memory.ID]int         // hops from the root
	Children map[memory.ID][]memory.ID // one hop further, in the order the graph gave
	Deeper   bool                      // there is more beyond the depth or the number asked for
}

// Walk follows derivations from root, breadth first, depth hops far (0 is as far
// as they go) and until most records were seen (0 is no bound). Cycles, which
// only ids from elsewhere could make, end where they close.
func Walk(ctx context.Context, g Graph, root memory.ID, dir graph.Direction, depth, most int) (*Tree, error) {
	t := &Tree{
		Root: root, Dir: dir, Order: []memory.ID{root},
		Depth: map[memory.ID]int{root: 0}, Children: make(map[memory.ID][]memory.ID),
	}
	for level := []memory.ID{root}; len(level) > 0; {
		edges, err := g.Edges(ctx, dir, level...)
		if err != nil {
			return nil, err
		}
		hop := t.Depth[level[0]] + 1
		level = nil
		for _, e := range edges {
			if e.Rel != graph.DerivedFrom {
				continue
			}
			from, to := e.From, e.To
			if dir == graph.Forward {
				from, to = e.To, e.From
			}
			_, seen := t.Depth[to]
			if !seen && (depth > 0 && hop > depth || most > 0 && len(t.Order) >= most) {
				t.Deeper = true
				continue
			}
			t.Children[from] = append(t.Children[from], to)
			if !seen {
				t.Depth[to] = hop
				t.Order = append(t.Order, to)
				level = append(level, to)
			}
		}
	}
	return t, nil
}

// Path returns the way from the root of t to id, both included; nil when t does
// not hold id.
func (t *Tree) Path(id memory.ID) []memory.ID {
	if _, ok := t.Depth[id]; !ok {
		return nil
	}
	parent := t.parents()
	path := []memory.ID{id}
	for id != t.Root {
		id = parent[id]
		path = append(path, id)
	}
	slices.Reverse(path)
	return path
}

// parents returns for each record the first one hop nearer to the root.
func (t *Tree) parents() map[memory.ID]memory.ID {
	parent := make(map[memory.ID]memory.ID, len(t.Order))
	for _, id := range t.Order {
		for _, c := range t.Children[id] {
			if _, ok := parent[c]; !ok && t.Depth[c] == t.Depth[id]+1 {
				parent[c] = id
			}
		}
	}
	return parent
}
