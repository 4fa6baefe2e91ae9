package sorting

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// By is the stable sort of the standard library.
func TestBy(t *testing.T) {
	type value struct {
		key, place int
		name       string
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		all := make([]value, n)
		for i := range all {
			all[i] = value{r.IntN(20), i, "name"}
		}
		want := slices.Clone(all)
		compare := func(a, b value) int { return cmp.Compare(a.key, b.key) }
		slices.SortStableFunc(want, compare)
		if By(all, compare); !slices.Equal(all, want) {
			t.Fatalf("%d values: %v, want %v", n, all, want)
		}
	}
}
