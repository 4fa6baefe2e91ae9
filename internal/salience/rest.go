package salience

import (
	"cmp"
	"container/heap"
)

// A Rest is which live memories rest on which: a graph of places. It is the state
// of a cycle: what Cycle takes is gone from it.
type Rest struct {
	on   [][]int32 // what each rests on, each once
	by   [][]int32 // what rests on each
	left []int     // how many of what each rests on is still there
	gone []bool
}

// NewRest makes the graph of n memories that rest on nothing.
func NewRest(n int) *Rest {
	return &Rest{on: make([][]int32, n), by: make([][]int32, n), left: make([]int, n), gone: make([]bool, n)}
}

// Add says that one memory rests on another; each pair is to be said once.
func (r *Rest) Add(newer, older int) {
	if newer == older {
		return
	}
	r.on[newer] = append(r.on[newer], int32(older))
	r.by[older] = append(r.by[older], int32(newer))
	r.left[newer]++
}

// Needed reports whether something that is there rests on a memory alone.
func (r *Rest) Needed(i int) bool {
	for _, d := range r.by[i] {
		if !r.gone[d] && r.left[d] == 1 {
			return true
		}
	}
	return false
}

// Cycle forgets candidates, those of the lowest salience first, until each that is
// left is needed: forgetting one may free what it rested on. It gives them in the
// order in which they go, so many at most (0 is all); of equals, the first among
// candidates goes first.
func (r *Rest) Cycle(candidates []int, salience func(int) float64, limit int) []int {
	q := &queue{salience: salience, place: make(map[int]int, len(candidates))}
	for at, i := range candidates {
		q.place[i] = at
		heap.Push(q, i)
	}
	var out []int
	for q.Len() > 0 && (limit <= 0 || len(out) < limit) {
		i := heap.Pop(q).(int)
		if r.gone[i] || r.Needed(i) {
			continue // put back when something that rests on it goes
		}
		r.gone[i] = true
		out = append(out, i)
		for _, d := range r.by[i] {
			r.left[d]--
		}
		for _, s := range r.on[i] {
			if _, may := q.place[int(s)]; may && !r.gone[s] {
				heap.Push(q, int(s)) // it may wait already, and is passed over when it comes again
			}
		}
	}
	return out
}

// queue returns the candidate of the lowest salience first.
type queue struct {
	list     []int
	salience func(int) float64
	place    map[int]int
}

func (q *queue) Len() int { return len(q.list) }
func (q *queue) Less(a, b int) bool {
	x, y := q.list[a], q.list[b]
	return cmp.Or(cmp.Compare(q.salience(x), q.salience(y)), cmp.Compare(q.place[x], q.place[y])) < 0
}
func (q *queue) Swap(a, b int) { q.list[a], q.list[b] = q.list[b], q.list[a] }
func (q *queue) Push(x any)    { q.list = append(q.list, x.(int)) }
func (q *queue) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}
