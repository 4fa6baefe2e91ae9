package layout_test

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/stemma-memory/stemma/internal/layout"
)

// tree draws a family tree: each arrow goes from a node to one that came before it.
func tree(t *rapid.T) ([]string, []layout.Arrow) {
	n := rapid.IntRange(0, 60).Draw(t, "nodes")
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%03d", (i*37)%1000)
	}
	var arrows []layout.Arrow
	for i := 1; i < n; i++ {
		for range rapid.IntRange(0, 3).Draw(t, "sources") {
			arrows = append(arrows, layout.Arrow{Newer: i, Older: rapid.IntRange(0, i-1).Draw(t, "source")})
		}
	}
	return keys, arrows
}

func TestNothingOverlapsAndArrowsGoDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys, arrows := tree(t)
		p := layout.Make(keys, arrows)
		for i := range keys {
			for j := range i {
				if p.Layer[i] == p.Layer[j] && math.Abs(p.At[i]-p.At[j]) < 1-1e-9 {
					t.Fatalf("%d and %d overlap in layer %d: %v and %v", i, j, p.Layer[i], p.At[i], p.At[j])
				}
			}
			if p.Layer[i] < 0 || p.Layer[i] >= p.Layers || p.At[i] < p.Low || p.At[i] > p.High || math.IsNaN(p.At[i]) {
				t.Fatalf("%d stands outside: layer %d of %d, %v in %v to %v", i, p.Layer[i], p.Layers, p.At[i], p.Low, p.High)
			}
		}
		for i, a := range arrows {
			if p.Layer[a.Newer] <= p.Layer[a.Older] {
				t.Fatalf("arrow %v goes from layer %d to %d", a, p.Layer[a.Newer], p.Layer[a.Older])
			}
			at := p.Layer[a.Newer]
			for _, b := range p.Bends[i] {
				if at--; b.Layer != at {
					t.Fatalf("arrow %v bends in layer %d, want %d", a, b.Layer, at)
				}
			}
			if len(p.Bends[i]) > 0 && at != p.Layer[a.Older]+1 {
				t.Fatalf("arrow %v does not reach its end: %v", a, p.Bends[i])
			}
		}
	})
}

// A layer is the longest way down, not the shortest.
func TestLayersAreDepth(t *testing.T) {
	p := layout.Make([]string{"raw", "episode", "belief", "value"},
		[]layout.Arrow{{1, 0}, {2, 1}, {2, 0}, {3, 2}, {3, 0}})
	if want := []int{0, 1, 2, 3}; !reflect.DeepEqual(p.Layer, want) {
		t.Errorf("layers are %v, want %v", p.Layer, want)
	}
	if len(p.Bends[2]) != 1 || len(p.Bends[4]) != 2 {
		t.Errorf("bends are %v", p.Bends)
	}
}

// In a deep tree each source stands beside the first that was made of it, so that no arrow
// passes layers for nothing.
func TestSourcesStandBesideWhatWasMadeOfThem(t *testing.T) {
	const deep = 30
	keys, arrows := []string{"top000", "raw000"}, []layout.Arrow{{0, 1}}
	for i := 1; i < deep; i++ { // a conclusion from the one before and from words of its own
		keys = append(keys, fmt.Sprintf("top%03d", i), fmt.Sprintf("raw%03d", i))
		arrows = append(arrows, layout.Arrow{Newer: 2 * i, Older: 2*i - 2}, layout.Arrow{Newer: 2 * i, Older: 2*i + 1})
	}
	arrows = append(arrows, layout.Arrow{Newer: 2 * (deep - 1), Older: 1}) // the first words are used twice
	p := layout.Make(keys, arrows)
	for i := range deep {
		if p.Layer[2*i] != i+1 || p.Layer[2*i+1] != i {
			t.Errorf("conclusion %d stands in layer %d and its words in %d", i, p.Layer[2*i], p.Layer[2*i+1])
		}
	}
	for i, a := range arrows[:len(arrows)-1] {
		if len(p.Bends[i]) > 0 {
			t.Errorf("arrow %v bends %d times", a, len(p.Bends[i]))
		}
	}
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys, arrows := tree(t)
		want := layout.Make(keys, arrows)
		chance := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		perm := chance.Perm(len(keys)) // where each node goes
		mixed, order := make([]string, len(keys)), chance.Perm(len(arrows))
		for i, p := range perm {
			mixed[p] = keys[i]
		}
		moved := make([]layout.Arrow, len(arrows))
		for i, o := range order {
			moved[o] = layout.Arrow{Newer: perm[arrows[i].Newer], Older: perm[arrows[i].Older]}
		}
		got := layout.Make(mixed, moved)
		for i, p := range perm {
			if got.Layer[p] != want.Layer[i] || got.At[p] != want.At[i] {
				t.Fatalf(
					"%s stands at %d, %v, and in another order at %d, %v", keys[i], want.Layer[i], want.At[i],
					got.Layer[p], got.At[p],
				)
			}
		}
		for i, o := range order {
			if !reflect.DeepEqual(got.Bends[o], want.Bends[i]) {
				t.Fatalf("arrow %v bends at %v, and in another order at %v", arrows[i], want.Bends[i], got.Bends[o])
			}
		}
	})
}

// Ids from elsewhere can close a cycle, and links do: each node still has a place.
func TestCycles(t *testing.T) {
	for name, arrows := range map[string][]layout.Arrow{
		"itself": {{0, 0}},
		"pair":   {{0, 1}, {1, 0}},
		"ring":   {{0, 1}, {1, 2}, {2, 0}, {3, 0}},
		"twice":  {{0, 1}, {0, 1}, {1, 2}, {2, 1}, {3, 3}},
	} {
		p := layout.Make([]string{"a", "b", "c", "d"}, arrows)
		for i := range 4 {
			for j := range i {
				if p.Layer[i] == p.Layer[j] && math.Abs(p.At[i]-p.At[j]) < 1-1e-9 {
					t.Errorf("%s: %d and %d overlap", name, i, j)
				}
			}
		}
	}
	ring := layout.Make([]string{"a", "b", "c", "d"}, []layout.Arrow{{0, 1}, {1, 2}, {2, 0}, {3, 0}})
	if want := []int{0, 2, 1, 1}; !reflect.DeepEqual(ring.Layer, want) {
		t.Errorf("the ring has layers %v, want %v", ring.Layer, want)
	}
}

// Where every node is made of all before it, the shortest arrows bend, as many as there is room for; the longest are
// straight.
func TestTooManyBends(t *testing.T) {
	for n := 3; n < 30; n++ {
		var arrows []layout.Arrow
		for i := range n {
			for j := range i {
				arrows = append(arrows, layout.Arrow{Newer: i, Older: j})
			}
		}
		p := layout.Make(make([]string, n), arrows)
		room := 2 * (n + len(arrows))
		least := room + 1 // of the bends that an arrow wants and has not
		for i, a := range arrows {
			room -= len(p.Bends[i])
			if wants := a.Newer - a.Older - 1; len(p.Bends[i]) < wants {
				least = min(least, wants)
			}
		}
		if room < 0 || room >= least {
			t.Errorf("%d nodes: there is room for %d more bends, the next arrow wants %d", n, room, least)
		}
	}
}

// Two families that have nothing to do with each other do not cross.
func TestFamiliesAreDrawnApart(t *testing.T) {
	p := layout.Make([]string{"a0", "b0", "a1", "b1", "a2", "b2"},
		[]layout.Arrow{{2, 0}, {4, 0}, {3, 1}, {5, 1}})
	if (p.At[2] < p.At[3]) != (p.At[4] < p.At[5]) || (p.At[2] < p.At[3]) != (p.At[0] < p.At[1]) ||
		(p.At[2] < p.At[5]) != (p.At[4] < p.At[3]) {
		t.Errorf("families cross: %v", p.At)
	}
	if p.At[0] != (p.At[2]+p.At[4])/2 {
		t.Errorf("the source stands at %v, not in the middle of %v and %v", p.At[0], p.At[2], p.At[4])
	}
}

func lineage(n int) ([]string, []layout.Arrow) {
	chance := rand.New(rand.NewSource(7))
	keys := make([]string, n)
	var arrows []layout.Arrow
	for i := range keys {
		keys[i] = fmt.Sprintf("%016x", chance.Uint64())
		if i < n/2 {
			continue // raws
		}
		for range 1 + chance.Intn(3) {
			older := chance.Intn(n / 2)
			if chance.Intn(4) == 0 {
				older = chance.Intn(i)
			}
			arrows = append(arrows, layout.Arrow{Newer: i, Older: older})
		}
	}
	return keys, arrows
}

func BenchmarkMake(b *testing.B) {
	for _, n := range []int{1500, 5000, 20_000} {
		keys, arrows := lineage(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				layout.Make(keys, arrows)
			}
		})
	}
}
