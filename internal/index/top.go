package index

// top keeps the best of many, in a heap whose root is the worst of them.
type top struct {
	most  int
	heap  []ranked
	least float32 // a lower score is none of the best
}

// better reports whether a is before b: the best first, of equals the newest.
func better(a, b ranked) bool { return a.score > b.score || a.score == b.score && a.i > b.i }

func byRank(a, b ranked) int {
	switch {
	case better(a, b):
		return -1
	case a == b:
		return 0
	}
	return 1
}

func (t *top) takes(r ranked) bool { return len(t.heap) < t.most || better(r, t.heap[0]) }

func (t *top) add(r ranked) {
	if len(t.heap) < t.most {
		t.heap = append(t.heap, r)
		i := len(t.heap) - 1
		for ; i > 0 && better(t.heap[(i-1)/2], r); i = (i - 1) / 2 {
			t.heap[i] = t.heap[(i-1)/2]
		}
		t.heap[i] = r
		t.settle()
		return
	}
	if !better(r, t.heap[0]) {
		return
	}
	i, n := 0, len(t.heap)
	for {
		worst := 2*i + 1
		if worst+1 < n && better(t.heap[worst], t.heap[worst+1]) {
			worst++
		}
		if worst >= n || !better(r, t.heap[worst]) {
			break
		}
		t.heap[i] = t.heap[worst]
		i = worst
	}
	t.heap[i] = r
	t.settle()
}

func (t *top) settle() {
	if len(t.heap) == t.most {
		t.least = t.heap[0].score
	}
}
