package trust

// A flow is a set of points and of ways between them, each of which can be gone
// once. It finds how many chains lead from one point to another at most, by
// Dinic's algorithm, which takes at most about the ways times the root of the
// points; no recursion, so that a long chain costs no stack.
type flow struct {
	last []int32 // by point, the way added last, or none
	ways []way   // every way is followed by its way back
}

type way struct {
	to, next int32
	free     bool
}

const none = -1

// points adds n points and returns the first.
func (f *flow) points(n int) int32 {
	first := int32(len(f.last))
	for range n {
		f.last = append(f.last, none)
	}
	return first
}

func (f *flow) join(from, to int32) {
	f.ways = append(f.ways, way{to, f.last[from], true})
	f.last[from] = int32(len(f.ways) - 1)
	f.ways = append(f.ways, way{from, f.last[to], false})
	f.last[to] = int32(len(f.ways) - 1)
}

// most uses up the ways.
func (f *flow) most(source, sink int32) int {
	found := 0
	depth := make([]int32, len(f.last))
	try := make([]int32, len(f.last))
	for f.measure(source, sink, depth, try) { // try is free to be the queue
		copy(try, f.last)
		found += f.fill(source, sink, depth, try)
	}
	return found
}

// measure sets how far points are from source, or none, as far out as sink, and
// reports whether sink can be reached.
func (f *flow) measure(source, sink int32, depth, queue []int32) bool {
	for i := range depth {
		depth[i] = none
	}
	depth[source] = 0
	queue = append(queue[:0], source)
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for w := f.last[at]; w != none; w = f.ways[w].next {
			to := f.ways[w].to
			if !f.ways[w].free || depth[to] != none {
				continue
			}
			depth[to] = depth[at] + 1
			if to == sink {
				return true
			}
			queue = append(queue, to)
		}
	}
	return false
}

// fill finds shortest chains until there are no more. try holds, by point, the next edge to
// try: a dead end is not tried again.
func (f *flow) fill(source, sink int32, depth, try []int32) int {
	found := 0
	var chain []int32
	for at := source; ; {
		if at == sink {
			for _, w := range chain {
				f.ways[w].free, f.ways[w^1].free = false, true
			}
			found++
			chain, at = chain[:0], source
			continue
		}
		w := try[at]
		switch {
		case w == none && len(chain) == 0:
			return found
		case w == none: // nothing ahead: one step back
			back := chain[len(chain)-1]
			chain = chain[:len(chain)-1]
			at = f.ways[back^1].to
			try[at] = f.ways[back].next
		case f.ways[w].free && depth[f.ways[w].to] == depth[at]+1:
			chain = append(chain, w)
			at = f.ways[w].to
		default:
			try[at] = f.ways[w].next
		}
	}
}
