//go:build !race

package recall_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Over 125 stores, questions and budgets, with STEMMA_LONG over 500, no pack is
// over its budget in any format, nothing is left out without a reason, and deep
// contains task contains minimal.
func TestBudgetsHold(t *testing.T) {
	t.Run("one store", func(t *testing.T) {
		t.Parallel()
		r := rand.New(rand.NewPCG(1, 29))
		p := newPeople(t)
		populate(t, r, p, 200)
		p.Stop() // one question at one time
		for i := range many(400) {
			query := ""
			if i%10 > 0 {
				query = phrase(r, 8)
			}
			in := packs(t, p.Agent, query)[r.IntN(5)/4]
			if i%10 == 0 {
				checkLevels(t, in)
				continue
			}
			budget := []int{100 + r.IntN(100), 100 + r.IntN(1000), 100 + r.IntN(5000), 100, 50_000}[r.IntN(5)]
			got, err := in.build([]string{"", "minimal", "task", "deep"}[r.IntN(4)], budget)
			if err != nil {
				t.Fatalf("%s: %v", in.what, err)
			}
			checkBudget(t, fmt.Sprintf("%s within %d", in.what, budget), got, budget)
			if t.Failed() {
				return
			}
		}
	})
	t.Run("small stores", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(many(40)) {
			r := rand.New(rand.NewPCG(seed, 30))
			p := newPeople(t)
			populate(t, r, p, r.IntN(25))
			p.Stop()
			for _, in := range packs(t, p.Owner, phrase(r, 5)) {
				checkLevels(t, in)
				budget := 100 + r.IntN(900)
				got, err := in.build("", budget)
				if err != nil {
					t.Fatalf("seed %d, %s: %v", seed, in.what, err)
				}
				checkBudget(t, fmt.Sprintf("seed %d, %s within %d", seed, in.what, budget), got, budget)
			}
			if t.Failed() {
				return
			}
		}
	})
}
