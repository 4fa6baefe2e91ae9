//go:build !race

package standing_test

import (
	"fmt"
	"os"
	"testing"
)

// Whatever is said, decided, taken back and carried over: no search gives as current
// what was decided against, nor what was replaced above what replaced it, nor one
// sentence twice.
func TestSettledAtRandom(t *testing.T) {
	t.Parallel()
	n := uint64(60)
	if os.Getenv("STEMMA_LONG") != "" {
		n = 400
	}
	for seed := range n {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newShop(t, seed)
			for range 4 + s.r.IntN(10) {
				s.act()
			}
			s.agree()
			s.agreeInPacks()
			if t.Failed() {
				for i, line := range s.log {
					t.Logf("%2d %s", i, line)
				}
			}
		}) {
			return
		}
	}
}
