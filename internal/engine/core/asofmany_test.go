//go:build !race

package core_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// What was known at each moment of a life is what a search as of that moment
// gives: the same memories with the same tiers.
func TestAsOfIsWhatWasKnown(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := &life{people: newPeople(t), t: t, Rand: rand.New(rand.NewPCG(seed, 5)), steps: make(map[string]int)}
			type moment struct {
				at   string
				know map[string]string
			}
			before := l.AsOf()
			var moments []moment
			for range 150 / min(fewer, 5) {
				l.step()
				at := l.AsOf()
				moments = append(moments, moment{at: at, know: known(t, l.Agent, "")})
			}
			if got := known(t, l.Agent, before); len(got) != 0 {
				t.Errorf("before anything was said %v were known", got)
			}
			for i, m := range moments {
				if got := known(t, l.Agent, m.at); !maps.Equal(got, m.know) {
					t.Fatalf("moment %d, as of %s: %s", i, m.at, difference(got, m.know))
				}
			}
			for _, what := range []string{"revise", "approve", "reject", "forget", "quarantine"} {
				if l.steps[what] == 0 && fewer == 1 {
					t.Errorf("nothing was done to %s: %v", what, l.steps)
				}
			}
		})
	}
}

// Of two rival revisions one is shown: as of then too, also when they have been
// merged since.
func TestAsOfOfTwoRivals(t *testing.T) {
	p := newPeople(t)
	first := add(t, p.Owner, "belief", "the harbour has one pier")
	away := open(t, filepath.Join(t.TempDir(), "away.db"), p.ConfigOf(memory.OriginOwner))
	carry(t, p.Owner, away)
	here := revise(t, p.Owner, first, "the harbour has two piers")
	alone := p.AsOf()
	there := revise(t, away, first, "the harbour has three piers")
	carry(t, away, p.Owner)
	forked := p.AsOf()
	both := known(t, p.Owner, "")
	if len(both) != 1 {
		t.Fatalf("of two rivals %v are shown, want one", both)
	}
	merged, err := p.Owner.Revise(t.Context(), api.ReviseRequest{
		Ref: here, Merge: []string{there}, Draft: api.Draft{Text: "the harbour has four piers"}})
	if err != nil {
		t.Fatal(err)
	}
	now := p.AsOf()
	for _, tt := range []struct {
		what, at string
		want     map[string]string
	}{
		{"one revision", alone, map[string]string{here: string(state.Hypothesis)}},
		{"two rivals", forked, both},
		{"merged", now, map[string]string{merged.Ref: string(state.Hypothesis)}},
	} {
		if got := known(t, p.Owner, tt.at); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %s", tt.what, difference(got, tt.want))
		}
	}
}
