package vec

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// random returns n vectors of a seed, under the keys 0 to n-1.
func random(seed uint64, n, dims int) []Vector {
	r := rand.New(rand.NewPCG(seed, 0))
	vs := make([]Vector, n)
	for i := range vs {
		vs[i] = Vector{int64(i), make([]float32, dims)}
		for j := range vs[i].Values {
			vs[i].Values[j] = float32(r.NormFloat64())
		}
	}
	return vs
}

// clustered returns vectors around a few centres, as those of like texts are.
func clustered(seed uint64, n, dims int) []Vector {
	const centres, spread = 50, .5
	around, vs := random(seed+1, centres, dims), random(seed, n, dims)
	for i, v := range vs {
		for j := range v.Values {
			v.Values[j] = v.Values[j]*spread + around[i%centres].Values[j]
		}
	}
	return vs
}

// exact returns the keys of the k vectors nearest to query, best first.
func exact(vs []Vector, query []float32, k int) []int64 {
	type scored struct {
		key   int64
		score float32
	}
	all := make([]scored, len(vs))
	for i, v := range vs {
		all[i] = scored{v.Key, Cosine(query, v.Values)}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	var keys []int64
	for _, s := range all[:min(k, len(all))] {
		keys = append(keys, s.key)
	}
	return keys
}

func keysOf(hits []Hit) []int64 {
	var keys []int64
	for _, h := range hits {
		keys = append(keys, h.Key)
	}
	return keys
}

func inMemory(tb testing.TB, dims int, vs []Vector) *Index {
	tb.Helper()
	x, err := New(Header{Model: "m", Dims: dims})
	if err != nil {
		tb.Fatal(err)
	}
	if err := x.Add(uint64(len(vs)), vs, nil); err != nil {
		tb.Fatal(err)
	}
	return x
}

func find(tb testing.TB, x *Index, query []float32, k int, keep func(int64) bool) []Hit {
	tb.Helper()
	hits, err := x.Top(query, k, keep)
	if err != nil {
		tb.Fatal(err)
	}
	return hits
}

func TestTopIsAllSortedAndCut(t *testing.T) {
	vs := random(5, 3000, 100)
	x, query := inMemory(t, 100, vs), random(6, 1, 100)[0].Values
	all := find(t, x, query, 1e9, nil)
	if got, want := len(all), len(vs); got != want {
		t.Fatalf("%d hits, want %d", got, want)
	}
	if !slices.IsSortedFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	}) {
		t.Error("hits are not in order")
	}
	for _, h := range all {
		if want := Cosine(query, vs[h.Key].Values); math.Abs(float64(h.Score-want)) > .01 {
			t.Fatalf("score of %d = %v, want about %v", h.Key, h.Score, want)
		}
	}
	for _, k := range []int{-1, 0, 1, 2, 3, 10, 200, 2999, 3000, 3001} {
		want := all[:max(0, min(k, len(all)))]
		if got := find(t, x, query, k, nil); !slices.Equal(got, want) {
			t.Errorf("Top(%d) is not the first %d of all", k, k)
		}
	}
	odd := func(key int64) bool { return key%2 == 1 }
	want := slices.DeleteFunc(slices.Clone(all), func(h Hit) bool { return !odd(h.Key) })
	if got := find(t, x, query, 100, odd); !slices.Equal(got, want[:100]) {
		t.Error("Top of odd keys is not the first odd ones of all")
	}
	if got := find(t, x, query, 2000, odd); !slices.Equal(got, want) {
		t.Error("Top does not give all odd keys where there are fewer than asked")
	}
}

func TestOfEqualsTheLowestKeyIsFirst(t *testing.T) {
	var vs []Vector
	for _, key := range []int64{5, -7, 9, 0, math.MaxInt64, math.MinInt64, 3} {
		vs = append(vs, Vector{key, []float32{1, 2}})
	}
	x := inMemory(t, 2, vs)
	want := []int64{math.MinInt64, -7, 0, 3, 5, 9, math.MaxInt64}
	for k := 1; k <= len(want); k++ {
		if got := keysOf(find(t, x, []float32{1, 1}, k, nil)); !slices.Equal(got, want[:k]) {
			t.Errorf("Top(%d) = %d, want %d", k, got, want[:k])
		}
	}
}

// Many blocks, many processors and either way to multiply give the same.
func TestTopDoesNotDependOnHowItIsComputed(t *testing.T) {
	const dims = 1 << 12
	vs := random(8, 2500, dims)
	vs = append(vs, vs[:300]...) // replaced by themselves
	query := random(9, 1, dims)[0].Values
	x := inMemory(t, dims, vs)
	if got := x.rows * x.stride / workerCodes; got < 3 || len(x.blocks) < 3 {
		t.Fatalf("work for %d processors in %d blocks proves nothing", got, len(x.blocks))
	}
	want := find(t, x, query, 300, nil)
	for _, procs := range []int{1, 3} {
		for _, plain := range []bool{true, false} {
			x.plain = plain
			got := withProcs(procs, func() []Hit { return find(t, x, query, 300, nil) })
			if !slices.Equal(got, want) {
				t.Errorf("with %d processors, plain %t, Top differs", procs, plain)
			}
		}
	}
}

func withProcs[T any](n int, f func() T) T {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	return f()
}

func TestTheLastOfAKeyCounts(t *testing.T) {
	x := inMemory(t, 2, []Vector{{1, []float32{1, 0}}, {2, []float32{0, 1}}, {1, []float32{-1, 0}}})
	check := func(what string, want []Hit) {
		t.Helper()
		got := find(t, x, []float32{1, 0}, 10, nil)
		for i := range got {
			got[i].Score = float32(math.Round(float64(got[i].Score)*1000) / 1000)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		if got := x.Len(); got != len(want) {
			t.Errorf("%s: Len = %d, want %d", what, got, len(want))
		}
	}
	add := func(mark uint64, put []Vector, drop ...int64) {
		t.Helper()
		if err := x.Add(mark, put, drop); err != nil {
			t.Fatal(err)
		}
		if got := x.Mark(); got != mark {
			t.Errorf("Mark = %d, want %d", got, mark)
		}
	}
	check("twice in a batch", []Hit{{2, 0}, {1, -1}})
	add(7, []Vector{{1, []float32{5, 0}}})
	check("put again", []Hit{{1, 1}, {2, 0}})
	add(8, nil, 1, 77)
	check("dropped", []Hit{{2, 0}})
	add(9, nil, 1)
	check("dropped twice", []Hit{{2, 0}})
	add(10, []Vector{{1, []float32{1, 0}}, {2, []float32{1, 0}}}, 1, 2)
	check("dropped and put", []Hit{{1, 1}, {2, 1}})
	add(11, nil, 1, 2)
	check("all dropped", nil)
}

func TestWhatDoesNotFitIsRefusedWhole(t *testing.T) {
	x := inMemory(t, 2, []Vector{{1, []float32{1, 0}}})
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, bad := range [][]float32{nil, {1}, {1, 2, 3}, {1, nan}, {inf, 0}} {
		if err := x.Add(9, []Vector{{2, []float32{1, 0}}, {3, bad}}, []int64{1}); !errors.Is(err, ErrVector) {
			t.Errorf("Add of %v: %v, want ErrVector", bad, err)
		}
		if hits, err := x.Top(bad, 1, nil); !errors.Is(err, ErrVector) {
			t.Errorf("Top of %v: %v, %v, want ErrVector", bad, hits, err)
		}
	}
	if got := keysOf(find(t, x, []float32{1, 0}, 9, nil)); !slices.Equal(got, []int64{1}) || x.Mark() != 1 {
		t.Errorf("after refusals there are %d at mark %d, want key 1 at mark 1", got, x.Mark())
	}
	wide := random(13, rowsPerBlock(MaxDims)+2, MaxDims) // of two blocks
	wide[len(wide)-1].Values = nil
	x = inMemory(t, MaxDims, nil)
	if err := x.Add(1, wide, nil); !errors.Is(err, ErrVector) || x.Len() != 0 {
		t.Errorf("Add of many and a bad one: %v, and %d are there, want ErrVector and none", err, x.Len())
	}
	for _, dims := range []int{-1, 0, MaxDims + 1} {
		if _, err := New(Header{Dims: dims}); err == nil {
			t.Errorf("New of %d dimensions: no error", dims)
		}
	}
}

func TestAZeroVectorIsLikeNothing(t *testing.T) {
	x := inMemory(t, 2, []Vector{{1, []float32{0, 0}}, {2, []float32{1, 0}}})
	if got, want := find(t, x, []float32{-1, 0}, 2, nil)[0], (Hit{1, 0}); got != want {
		t.Errorf("first = %v, want %v", got, want)
	}
	for _, h := range find(t, x, []float32{0, 0}, 2, nil) {
		if h.Score != 0 {
			t.Errorf("zero is like %v", h)
		}
	}
}

func TestAClosedIndexFindsNothing(t *testing.T) {
	x := inMemory(t, 2, []Vector{{1, []float32{1, 0}}})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if hits, err := x.Top([]float32{1, 0}, 1, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Top = %v, %v, want os.ErrClosed", hits, err)
	}
	if err := x.Add(1, nil, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Add: %v, want os.ErrClosed", err)
	}
}

// An index in memory that is added to one by one stays in few blocks.
func TestMemoryIsCompactedByItself(t *testing.T) {
	vs := random(11, wornBlocks+500, 32)
	x := inMemory(t, 32, nil)
	for i, v := range vs {
		if err := x.Add(uint64(i), []Vector{v}, []int64{v.Key - 100}); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(x.blocks); got > wornBlocks {
		t.Errorf("%d blocks, want at most %d", got, wornBlocks)
	}
	last := vs[len(vs)-100:]
	if got, want := x.Len(), len(last); got != want {
		t.Errorf("Len = %d, want %d", got, want)
	}
	want := find(t, inMemory(t, 32, last), vs[0].Values, 2000, nil)
	if got := find(t, x, vs[0].Values, 2000, nil); !slices.Equal(got, want) {
		t.Error("a compacted index finds other vectors")
	}
}

func TestAnIndexIsSafeForManyAtOnce(t *testing.T) {
	vs := random(12, 2000, 32)
	x := inMemory(t, 32, vs[:1000])
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if _, err := x.Top(vs[0].Values, 10, nil); err != nil && !errors.Is(err, os.ErrClosed) {
					t.Error(err)
				}
				x.Len()
				x.Worn()
			}
		})
	}
	for i, v := range vs[1000:] {
		if err := x.Add(uint64(i), []Vector{v}, []int64{int64(i)}); err != nil {
			t.Error(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}
