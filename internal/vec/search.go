package vec

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// A Hit is a vector that was found.
type Hit struct {
	Key   int64
	Score float32 // about the cosine of the angle between it and the query
}

// better is the order of hits: the same in every run, on every machine.
func (h Hit) better(other Hit) bool {
	return h.Score > other.Score || h.Score == other.Score && h.Key < other.Key
}

const (
	chunk       = 256     // vectors at a time
	workerCodes = 2 << 20 // codes that are worth another processor
)

// Top returns the k vectors nearest to query, best first; of equals the lowest
// key. Scores are rounded: who wants the first ten takes forty and looks at
// them with Cosine.
//
// If keep is not nil, only keys it is true for are found. It is asked only about
// those that would be among the best, by several goroutines at once, and must
// not call the index.
func (x *Index) Top(query []float32, k int, keep func(key int64) bool) ([]Hit, error) {
	codes, scale, err := quantiseQuery(query, x.header.Dims)
	if err != nil {
		return nil, fmt.Errorf("search vectors: %w", err)
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.closed {
		return nil, errClosed
	}
	k = min(k, x.rows-x.gone.count)
	if k <= 0 {
		return nil, nil
	}
	hits := x.nearest(codes, k, keep)
	for i := range hits {
		hits[i].Score *= scale
	}
	return hits, nil
}

// nearest divides the rows among the processors.
func (x *Index) nearest(query []int16, k int, keep func(int64) bool) []Hit {
	workers := max(1, min(runtime.GOMAXPROCS(0), x.rows*x.stride/workerCodes))
	tops := make([]top, workers)
	scan := func(i int) {
		tops[i] = top{k: k, keep: keep, bar: float32(math.Inf(-1))}
		x.scan(&tops[i], query, i*x.rows/workers, (i+1)*x.rows/workers)
	}
	var wg sync.WaitGroup
	for i := 1; i < workers; i++ {
		wg.Go(func() { scan(i) })
	}
	scan(0)
	wg.Wait()
	hits := tops[0].hits
	for _, t := range tops[1:] {
		hits = append(hits, t.hits...)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return hits[:min(k, len(hits))]
}

// scan looks at the rows from from up to to.
func (x *Index) scan(t *top, query []int16, from, to int) {
	var out [chunk]int32
	for _, b := range x.blocks {
		last := min(to-b.first, b.rows)
		for i := max(0, from-b.first); i < last; i += chunk {
			n := min(chunk, last-i)
			dots(out[:n], query, b.codes[i*x.stride:(i+n)*x.stride], x.plain)
			scales := b.scales[4*i : 4*(i+n)]
			for j, dot := range out[:n] {
				s := float32(dot) * math.Float32frombits(le.Uint32(scales[4*j:]))
				// a NaN, which only a harmed file has, is not >= anything
				if s >= t.bar && !x.gone.has(b.first+i+j) {
					t.offer(Hit{b.key(i + j), s})
				}
			}
		}
	}
}

// top keeps the best k hits, the worst of them first: a heap.
type top struct {
	k    int
	keep func(int64) bool
	hits []Hit
	bar  float32 // no hit below it comes in
}

func (t *top) offer(h Hit) {
	full := len(t.hits) == t.k
	if full && !h.better(t.hits[0]) || t.keep != nil && !t.keep(h.Key) {
		return
	}
	if full {
		t.hits[0] = h
		t.sink()
	} else {
		t.hits = append(t.hits, h)
		t.rise()
	}
	if len(t.hits) == t.k {
		t.bar = t.hits[0].Score
	}
}

// rise puts the last hit in its place.
func (t *top) rise() {
	for i := len(t.hits) - 1; i > 0; {
		parent := (i - 1) / 2
		if !t.hits[parent].better(t.hits[i]) {
			return
		}
		t.hits[i], t.hits[parent] = t.hits[parent], t.hits[i]
		i = parent
	}
}

// sink puts the first hit in its place.
func (t *top) sink() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.hits); child++ {
			if t.hits[worst].better(t.hits[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
}
