//go:build !race

package removal_test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
)

// Whatever hangs on what: after a run no live record is left that rests only on
// what is forgotten, a second run does nothing, and bringing all back brings all
// back.
func TestForgetRunOnRandomGraphs(t *testing.T) {
	t.Parallel()
	for seed := range int64(8 / min(fewer, 4)) {
		chance := rand.New(rand.NewSource(seed))
		c := newClock()
		e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{Now: c.Now})
		var all []string
		from, old := make(map[string][]string), make(map[string]bool)
		for i := range 60 {
			var in []string
			for _, at := range chance.Perm(len(all))[:min(len(all), chance.Intn(4))] {
				in = append(in, all[at])
			}
			d := api.Draft{Kind: "note", Text: fmt.Sprint("note ", i)}
			if chance.Intn(10) == 0 {
				d.Type = "constraint"
			}
			sure := float64(chance.Intn(1001)) / 1000
			ref := write(t, e, api.AddRequest{From: in, Draft: d, Meta: api.Meta{Confidence: &sure}})
			all, from[ref] = append(all, ref), in
			if at := chance.Intn(len(all)); chance.Intn(5) == 0 { // also what is cited already
				head := revise(t, e, all[at], fmt.Sprint("note ", i, " again"))
				from[head], old[all[at]] = from[all[at]], true
				all[at] = head
			}
		}
		c.Ahead(120 * day)
		for range 20 {
			used := api.UsedRequest{Refs: []string{all[chance.Intn(len(all))]}}
			if err := enginetest.Do(e.Used(t.Context(), used)); err != nil {
				t.Fatal(err)
			}
		}
		c.Ahead(95 * day)
		before := live(t, e)
		r, err := e.ForgetRun(t.Context(), api.ForgetRunRequest{})
		if err != nil || r.Count == 0 || r.Count == len(before) {
			t.Fatalf("seed %d: %d of %d forgotten, %v", seed, r.Count, len(before), err)
		}
		had, left := setOf(before), setOf(live(t, e))
		if len(left)+r.Count != len(before) {
			t.Errorf("seed %d: %d forgotten of %d, and %d left", seed, r.Count, len(before), len(left))
		}
		for ref := range left {
			if stand(from, old, had, ref) && !stand(from, old, left, ref) {
				t.Errorf("seed %d: %s is left with nothing to rest on", seed, ref[:16])
			}
		}
		wantSame(t, "a second run", forgets(t, e, api.ForgetRunRequest{}))
		if err := enginetest.Do(e.Recover(t.Context(), api.ForgetRequest{Refs: r.Claims})); err != nil {
			t.Fatal(err)
		}
		wantSame(t, "brought back", live(t, e), before...)
	}
}
