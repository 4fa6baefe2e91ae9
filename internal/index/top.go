package index

import "slices"

// top keeps the best of many, in a heap whose root is the worst of them.
type top struct {
	most   int
	heap   []ranked
	least  float32 // a lower score is none of them
	before func(a, b ranked) int
}

func newTop(most int, before func(a, b ranked) int) *top { return &top{most: most, before: before} }

func (t *top) takes(r ranked) bool { return len(t.heap) < t.most || t.before(r, t.heap[0]) < 0 }

func (t *top) add(r ranked) {
	if len(t.heap) < t.most {
		t.heap = append(t.heap, r)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if t.before(t.heap[up], t.heap[i]) > 0 {
				break
			}
			t.heap[up], t.heap[i] = t.heap[i], t.heap[up]
			i = up
		}
		t.settle()
		return
	}
	if t.before(r, t.heap[0]) >= 0 {
		return
	}
	t.heap[0] = r
	for i := 0; ; {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(t.heap); c++ {
			if t.before(t.heap[c], t.heap[worst]) > 0 {
				worst = c
			}
		}
		if worst == i {
			t.settle()
			return
		}
		t.heap[worst], t.heap[i] = t.heap[i], t.heap[worst]
		i = worst
	}
}

func (t *top) settle() {
	if len(t.heap) == t.most {
		t.least = t.heap[0].score
	}
}

func (t *top) sorted() []ranked {
	slices.SortFunc(t.heap, t.before)
	return t.heap
}
