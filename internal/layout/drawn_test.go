package layout_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/layout"
)

// drawn says of a drawing how many layers it has, how many pairs of steps cross, how wide it is, and how far its steps
// lead aside, on average.
func drawn(keys []string, arrows []layout.Arrow) string {
	p := layout.Make(keys, arrows)
	type step struct {
		layer      int
		upper, low float64
	}
	var steps []step
	aside := 0.0
	for i, a := range arrows {
		at, layer := p.At[a.Newer], p.Layer[a.Newer]
		for _, b := range append(p.Bends[i], layout.Bend{Layer: p.Layer[a.Older], At: p.At[a.Older]}) {
			steps = append(steps, step{layer, at, b.At})
			aside += math.Abs(at - b.At)
			at, layer = b.At, b.Layer
		}
	}
	crossings := 0
	for i, a := range steps {
		for _, b := range steps[:i] {
			if a.layer == b.layer && (a.upper-b.upper)*(a.low-b.low) < -1e-9 {
				crossings++
			}
		}
	}
	return fmt.Sprintf("%d layers, %d crossings, %.2f wide, %.3f aside",
		p.Layers, crossings, p.High-p.Low, aside/math.Max(1, float64(len(steps))))
}

// The same tree is drawn the same way in each version, until somebody means to draw better: with fewer crossings, or
// less aside.
func TestTreesAreDrawnAsWellAsTheyWere(t *testing.T) {
	for seed, want := range []string{
		"2 layers, 0 crossings, 1.00 wide, 0.000 aside",
		"2 layers, 0 crossings, 3.12 wide, 0.583 aside",
		"3 layers, 0 crossings, 4.76 wide, 0.389 aside",
		"4 layers, 2 crossings, 3.76 wide, 0.495 aside",
		"5 layers, 4 crossings, 5.87 wide, 0.919 aside",
		"7 layers, 0 crossings, 5.77 wide, 0.589 aside",
		"6 layers, 2 crossings, 7.19 wide, 0.676 aside",
		"4 layers, 1 crossings, 11.61 wide, 0.612 aside",
		"6 layers, 4 crossings, 8.88 wide, 0.519 aside",
		"7 layers, 6 crossings, 14.49 wide, 0.831 aside",
		"5 layers, 38 crossings, 12.46 wide, 1.329 aside",
		"7 layers, 20 crossings, 10.42 wide, 0.982 aside",
		"7 layers, 10 crossings, 17.28 wide, 0.915 aside",
		"5 layers, 15 crossings, 20.18 wide, 0.792 aside",
		"6 layers, 39 crossings, 19.53 wide, 0.922 aside",
		"5 layers, 47 crossings, 15.62 wide, 1.575 aside",
	} {
		chance := rand.New(rand.NewSource(int64(seed)))
		n := 4 + 3*seed
		keys := make([]string, n)
		var arrows []layout.Arrow
		for i := range keys {
			keys[i] = fmt.Sprintf("%03d", i)
			for range chance.Intn(3) {
				if i > 0 {
					arrows = append(arrows, layout.Arrow{Newer: i, Older: chance.Intn(i)})
				}
			}
		}
		if got := drawn(keys, arrows); got != want {
			t.Errorf("tree %d: %s, want %s", seed, got, want)
		}
	}
}

func TestSmallTreesAreDrawnPlainly(t *testing.T) {
	for arrows, want := range map[string]string{
		"":                  "1 layers, 0 crossings, 4.00 wide, 0.000 aside",
		"ba":                "2 layers, 0 crossings, 3.00 wide, 0.000 aside",
		"ba ca da ea":       "2 layers, 0 crossings, 3.00 wide, 1.000 aside",
		"ba cb dc ed":       "5 layers, 0 crossings, 0.00 wide, 0.000 aside",
		"ca da cb db":       "2 layers, 1 crossings, 2.00 wide, 0.500 aside",
		"ba ca db dc":       "3 layers, 0 crossings, 1.50 wide, 0.500 aside",
		"ba cb ac":          "3 layers, 0 crossings, 2.00 wide, 0.000 aside",
		"db bc ce cb ba":    "3 layers, 0 crossings, 1.25 wide, 0.400 aside",
		"aa bb":             "1 layers, 0 crossings, 4.00 wide, 0.000 aside",
		"ba ba":             "2 layers, 0 crossings, 3.00 wide, 0.000 aside",
		"ea ba cb dc ed":    "5 layers, 0 crossings, 0.68 wide, 0.169 aside",
		"da eb ea db dc ec": "2 layers, 3 crossings, 2.00 wide, 0.833 aside",
		"ba ab cb dc ed de": "5 layers, 0 crossings, 0.00 wide, 0.000 aside",
		"ea eb ec ed":       "2 layers, 0 crossings, 3.00 wide, 1.000 aside",
		"cb ba ca dc ed ea": "5 layers, 0 crossings, 1.02 wide, 0.249 aside",
	} {
		var list []layout.Arrow
		for _, a := range strings.Fields(arrows) {
			list = append(list, layout.Arrow{Newer: int(a[0] - 'a'), Older: int(a[1] - 'a')})
		}
		if got := drawn(strings.Split("abcde", ""), list); got != want {
			t.Errorf("%q: %s, want %s", arrows, got, want)
		}
	}
}
