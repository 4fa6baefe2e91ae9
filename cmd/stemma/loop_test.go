//go:build !race

package main

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stemma-memory/stemma/internal/loop"
)

// What an agent gets over several sessions may only become better. docs/lab/loop.md has
// the goals and where these figures come from.
func TestTheDailyLoopDoesNotGetWorse(t *testing.T) {
	out, err := exec.Command("stemma", "eval", "loop", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var r loop.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, least float64 }{
		// One question of 69 asks for what an agent said against a person's decision ("why do we not squash?"), which
		// stands below that decision.
		"current@1": {r.All.Current.At1(), 0.94},
		"current@3": {r.All.Current.At3(), 0.99},
		"start":     {r.All.Start.Of(), 0.99},
		"kept":      {r.All.Kept.Of(), 0.98},
		"once":      {r.All.Once.Of(), 1},
		"silence":   {r.All.Silence.Of(), 0.94},
	} {
		if c.got < c.least {
			t.Errorf("%s is %.3f, was at least %.2f", name, c.got, c.least)
		}
	}
	if most := 0; r.All.Stale.Given > most || r.All.Stale.Asked < 20 {
		t.Errorf("stale: %d of %d, was at most %d", r.All.Stale.Given, r.All.Stale.Asked, most)
	}
	if got, most := r.All.PerHundred(), 6.0; got > most {
		t.Errorf("a person is asked %.1f decisions per 100 statements, was at most %.0f", got, most)
	}
	if len(r.Scenarios) < 14 {
		t.Errorf("%d scenarios", len(r.Scenarios))
	}
}
