package layout

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// sweeps is how often the layers are put in order, down and up in turn.
const sweeps = 8

// arrange puts the nodes of each layer in an order with few crossings.
func (d *drawing) arrange() {
	d.begin()
	spot := make([]int32, len(d.layer))
	d.spots(spot)
	best, least := d.clone(), d.crossings(spot)
	middle := make([]weighed, 0, len(d.layer))
	for s := 0; s < sweeps && least > 0; s++ {
		if s%2 == 0 {
			for l := 1; l < len(d.rows); l++ {
				d.sort(l, &d.down, spot, middle)
			}
		} else {
			for l := len(d.rows) - 2; l >= 0; l-- {
				d.sort(l, &d.up, spot, middle)
			}
		}
		now := d.crossings(spot)
		if now < least {
			best, least = d.clone(), now
		} else if s >= 3 {
			break // it gets no better
		}
	}
	d.rows = best
}

// begin places nodes as a walk from the newest down meets them, so that what
// belongs together begins together.
func (d *drawing) begin() {
	seen := make([]bool, len(d.layer))
	var stack []int32
	visit := func(root int32) {
		for stack = append(stack[:0], root); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			d.rows[d.layer[v]] = append(d.rows[d.layer[v]], v)
			for _, near := range [2][]int32{d.up.of(v), d.down.of(v)} {
				for i := len(near) - 1; i >= 0; i-- {
					if !seen[near[i]] {
						stack = append(stack, near[i])
					}
				}
			}
		}
	}
	for l := len(d.rows) - 1; l >= 0; l-- {
		for v := range d.given {
			if d.layer[v] == l && !seen[v] {
				visit(int32(v))
			}
		}
	}
}

func (d *drawing) clone() [][]int32 {
	out := make([][]int32, len(d.rows))
	for l, row := range d.rows {
		out[l] = slices.Clone(row)
	}
	return out
}

func (d *drawing) spots(spot []int32) {
	for _, row := range d.rows {
		for i, v := range row {
			spot[v] = int32(i)
		}
	}
}

// A weighed node knows where its neighbours are on average.
type weighed struct {
	node int32
	mean float64
}

// sort puts a layer in the order of the means of its neighbours in the layer beside
// it. A node without any keeps its place.
func (d *drawing) sort(l int, to *links, spot []int32, list []weighed) {
	row := d.rows[l]
	list = list[:0]
	for i, v := range row {
		near := to.of(v)
		w := weighed{v, float64(i)}
		if len(near) > 0 {
			sum := 0
			for _, u := range near {
				sum += int(spot[u])
			}
			w.mean = float64(sum) / float64(len(near))
		}
		list = append(list, w)
	}
	sorting.By(list, func(a, b weighed) int { return cmp.Compare(a.mean, b.mean) })
	for i, w := range list {
		row[i] = w.node
		spot[w.node] = int32(i)
	}
}

// crossings counts the pairs of steps between neighbouring layers that cross.
func (d *drawing) crossings(spot []int32) int {
	total := 0
	var tree, ends []int32
	for l := 1; l < len(d.rows); l++ {
		below := len(d.rows[l-1])
		tree = append(tree[:0], make([]int32, below+1)...)
		seen := 0
		for _, v := range d.rows[l] {
			ends = ends[:0]
			for _, u := range d.down.of(v) {
				ends = append(ends, spot[u])
			}
			slices.Sort(ends)
			for _, e := range ends { // those before that end further on
				before := 0
				for i := e + 1; i > 0; i -= i & -i {
					before += int(tree[i])
				}
				total += seen - before
			}
			for _, e := range ends {
				for i := e + 1; int(i) <= below; i += i & -i {
					tree[i]++
				}
			}
			seen += len(ends)
		}
	}
	return total
}
