// Package layout says where the records of a family tree stand in a picture: in
// layers, each source beside what was made of it, with few crossings, as a stemma of
// manuscripts is drawn. It is pure, and the same tree is always drawn the same way.
package layout

import "github.com/stemma-memory/stemma/internal/sorting"

// An Arrow ties a newer node to an older one; both are places in the list of keys.
type Arrow struct{ Newer, Older int }

// A Plan says where nodes stand and where arrows bend. A unit is the room that one
// node takes within its layer.
type Plan struct {
	Layer  []int     // by node: greater than that of each of its sources; the least is 0
	At     []float64 // by node: its middle within the layer
	Bends  [][]Bend  // by arrow: where it passes the layers between its ends, the newer first
	Layers int       // how many there are
	Low    float64   // the least of At, and of where arrows bend
	High   float64   // the most
}

// A Bend is where an arrow passes a layer.
type Bend struct {
	Layer int
	At    float64
}

// bendRoom is what an arrow takes of a layer it passes, in parts of a node's room.
const bendRoom = 0.35

// Make lays out nodes, named by keys that are all different. The order in which
// nodes and arrows are given does not matter. Every arrow goes from a layer to a
// lower one, except those that close a cycle, and an arrow from a node to itself.
func Make(keys []string, arrows []Arrow) Plan {
	n := len(keys)
	order := make([]int, n) // by place: which node
	for i := range order {
		order[i] = i
	}
	sorting.By(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	place := make([]int, n)
	for p, node := range order {
		place[node] = p
	}
	turned := make([]Arrow, len(arrows))
	for i, a := range arrows {
		turned[i] = Arrow{place[a.Newer], place[a.Older]}
	}
	d := newDrawing(n, turned)
	d.arrange()
	d.place()

	plan := Plan{Layer: make([]int, n), At: make([]float64, n), Bends: make([][]Bend, len(arrows)), Layers: len(d.rows)}
	for p, node := range order {
		plan.Layer[node], plan.At[node] = d.layer[p], d.at[p]
	}
	for i, a := range turned {
		for _, v := range d.bends[a] {
			plan.Bends[i] = append(plan.Bends[i], Bend{d.layer[v], d.at[v]})
		}
	}
	for i, at := range d.at {
		if i == 0 || at < plan.Low {
			plan.Low = at
		}
		if i == 0 || at > plan.High {
			plan.High = at
		}
	}
	return plan
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
