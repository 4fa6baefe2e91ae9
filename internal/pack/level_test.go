//go:build !race

package pack

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A pack of a level holds all that one of a lower level does: what a level is
// called costs tokens too, and must not decide.
func TestLevelsHoldWhatLowerOnesDo(t *testing.T) {
	stores(12, func(seed uint64, r *rand.Rand, req Request) {
		for len(req.Entries) < 80 {
			req.Entries = append(req.Entries, madeUp(r, req.Layout).Entries...)
		}
		for _, f := range formats {
			var before []string
			for _, l := range levels {
				req.Level, req.Budget = l.name, 0
				page := build(t, req).Page(f)
				for _, ref := range before {
					if !slices.Contains(page.Shown, ref) {
						t.Fatalf("seed %d, %s: %s lacks %s, which the level below it has", seed, f, l.name, ref)
					}
				}
				before = page.Shown
			}
		}
	})
}
