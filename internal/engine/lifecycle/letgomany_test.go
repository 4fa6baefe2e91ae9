//go:build !race

package lifecycle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// The share of results with an undecided mark does not grow with time, though each session leaves proposals behind.
func TestTheShareOfUndecidedMarksDoesNotGrow(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	share, looked := make(map[int]float64), []int{2, 6, 12, 24}
	for s := 1; s <= 24; s++ {
		e := p.In(fmt.Sprintf("s%d", s))
		for i := range 3 {
			proposal(t, e, e, fmt.Sprintf("depot%d%c", s, 'a'+i))
		}
		for i := range 6 {
			remember(t, e, fmt.Sprintf("Depot%d%c was painted by firm %d.", s, 'a'+i, 100*s+i))
		}
		if !slices.Contains(looked, s) {
			continue
		}
		marked, given := 0, 0
		for of := 1; of <= s; of++ {
			for i := range 3 {
				for _, r := range search(t, e, api.SearchRequest{Query: fmt.Sprintf("depot%d%c", of, 'a'+i)}).Results {
					if given++; len(r.Undecided) > 0 {
						marked++
					}
				}
			}
		}
		share[s] = float64(marked) / float64(given)
	}
	for _, s := range looked {
		t.Logf("session %2d: %.2f of the results have an undecided mark", s, share[s])
	}
	if share[6] > share[2] || share[12] > share[2] || share[24] >= share[12] {
		t.Errorf("it grows: %.2f, %.2f, %.2f, %.2f", share[2], share[6], share[12], share[24])
	}
}
