package layout

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// A drawing is a picture being made. Its nodes are numbers: first those that were
// given, in the order of their keys, then one for each layer that an arrow passes.
type drawing struct {
	given int
	layer []int
	at    []float64
	rows  [][]int32 // by layer: its nodes, in the order in which they stand
	up    links     // to the nodes one layer above
	down  links     // to the nodes one layer below
	bends map[Arrow][]int32
}

// links are lists of nodes, one after the other: those of v are to[from[v]:from[v+1]].
type links struct{ from, to []int32 }

func (l *links) of(v int32) []int32 { return l.to[l.from[v]:l.from[v+1]] }

// mostBends is how many bends there are at most for each node and arrow. Where
// there would be more the longest arrows are drawn straight.
const mostBends = 2

func newDrawing(n int, arrows []Arrow) *drawing {
	list := slices.Clone(arrows)
	list = slices.DeleteFunc(list, func(a Arrow) bool { return a.Newer == a.Older })
	sorting.By(list, func(a, b Arrow) int { return cmp.Or(a.Newer-b.Newer, a.Older-b.Older) })
	list = slices.Compact(list)
	d := &drawing{given: n, layer: layers(n, list), bends: make(map[Arrow][]int32)}
	d.tie(n, list)
	return d
}

// layers returns for each node the layer in which it stands: what nothing was made of stands as
// far right as the longest way down from it, and every other node directly left of the first
// that was made of it. So a source stands beside what rests on it, however deep the tree is.
// Where a cycle leaves no node that rests on nothing more, the first of those left is taken as
// if it did.
func layers(n int, arrows []Arrow) []int {
	depth, waits, done := make([]int, n), make([]int, n), make([]bool, n)
	first := make([]int, n+1) // arrows by their older end
	for _, a := range arrows {
		waits[a.Newer]++
		first[a.Older+1]++
	}
	for i := range n {
		first[i+1] += first[i]
	}
	newer, next := make([]int, len(arrows)), slices.Clone(first)
	for _, a := range arrows {
		newer[next[a.Older]] = a.Newer
		next[a.Older]++
	}
	ready := make([]int, 0, n)
	for v := range n {
		if waits[v] == 0 {
			ready = append(ready, v)
		}
	}
	left := 0
	for i := 0; i < n; i++ {
		if i == len(ready) { // only cycles are left
			for done[left] || waits[left] == 0 {
				left++
			}
			waits[left] = 0
			ready = append(ready, left)
		}
		v := ready[i]
		done[v] = true
		for _, w := range newer[first[v]:first[v+1]] {
			if waits[w] == 0 {
				continue // it stands already: this arrow closes a cycle
			}
			depth[w] = max(depth[w], depth[v]+1)
			if waits[w]--; waits[w] == 0 {
				ready = append(ready, w)
			}
		}
	}
	layer := slices.Clone(depth)
	for _, v := range slices.Backward(ready) { // what was made of v has its layer already
		least := -1
		for _, w := range newer[first[v]:first[v+1]] {
			if depth[w] > depth[v] && (least < 0 || layer[w] < least) { // otherwise the arrow closes a cycle
				least = layer[w]
			}
		}
		if least > 0 {
			layer[v] = least - 1
		}
	}
	return layer
}

// tie puts nodes into rows and makes the links between neighbouring layers, with a
// node of its own wherever an arrow passes a layer.
func (d *drawing) tie(n int, arrows []Arrow) {
	span := func(a Arrow) int { return d.layer[a.Newer] - d.layer[a.Older] }
	short := slices.Clone(arrows)
	sorting.By(short, func(a, b Arrow) int { return span(a) - span(b) })
	var steps [][2]int32 // upper, lower
	budget := mostBends * (n + len(arrows))
	for _, a := range short {
		s := span(a)
		if s < 1 {
			continue // it closes a cycle
		}
		if s-1 > budget {
			break
		}
		budget -= s - 1
		above := int32(a.Newer)
		for l := d.layer[a.Newer] - 1; l > d.layer[a.Older]; l-- {
			v := int32(len(d.layer))
			d.layer = append(d.layer, l)
			d.bends[a] = append(d.bends[a], v)
			steps = append(steps, [2]int32{above, v})
			above = v
		}
		steps = append(steps, [2]int32{above, int32(a.Older)})
	}
	d.at = make([]float64, len(d.layer))
	d.down = gather(len(d.layer), steps, 0)
	d.up = gather(len(d.layer), steps, 1)
	most := -1
	for _, l := range d.layer {
		most = max(most, l)
	}
	d.rows = make([][]int32, most+1)
}

// gather lists for each node the other ends of its steps.
func gather(n int, steps [][2]int32, end int) links {
	l := links{from: make([]int32, n+1), to: make([]int32, len(steps))}
	for _, s := range steps {
		l.from[s[end]+1]++
	}
	for i := range n {
		l.from[i+1] += l.from[i]
	}
	next := slices.Clone(l.from)
	for _, s := range steps {
		l.to[next[s[end]]] = s[1-end]
		next[s[end]]++
	}
	return l
}

func (d *drawing) room(v int32) float64 {
	if int(v) < d.given {
		return 1
	}
	return bendRoom
}
