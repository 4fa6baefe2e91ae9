//go:build !race

package lifecycle_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Who remembers a change is told the memory that it touches, by a link or as a neighbour, among 200 others.
func TestAChangeFindsItsNeighbour(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../evolve/testdata/fresh.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type pair struct{ ID, Old, New, Label string }
	var changes, others []pair
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p pair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Label == "update" {
			changes = append(changes, p)
		} else {
			others = append(others, p)
		}
	}
	e := open(t, "mem", engine.Config{})
	olds := make(map[string][]string)
	for _, p := range slices.Concat(changes, others[:200-len(changes)]) {
		r, err := e.Remember(t.Context(), api.RememberRequest{Text: p.Old, NoEvolution: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Memories {
			olds[p.ID] = append(olds[p.ID], m.Ref)
		}
	}
	right, near := 0, 0
	for _, p := range changes {
		r, err := e.Remember(t.Context(), api.RememberRequest{Text: p.New})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Links) > 0 && len(r.Near) > 0 {
			t.Errorf("%q is linked, and neighbours are told", p.New)
		}
		is := slices.ContainsFunc(r.Links, func(l api.LinkView) bool { return slices.Contains(olds[p.ID], l.Old.Ref) })
		if slices.ContainsFunc(r.Near, func(m api.Memory) bool { return slices.Contains(olds[p.ID], m.Ref) }) {
			is = true
			near++
		}
		if is {
			right++
		}
	}
	t.Logf("%d changes: the right one is told for %d, for %d of them as a neighbour", len(changes), right, near)
	if least := 84; right < least || near == 0 {
		t.Errorf("the right one is told for %d of %d changes, want %d", right, len(changes), least)
	}
}

// What nothing is near to has no neighbours; nor has what says the same again, or is compared by the caller.
func TestNeighboursAreToldWhereTheyMatter(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for _, text := range []string{
		"The staging cluster runs in Frankfurt.", "Bea has a brother in Oslo.", "Tests run on Firefox.",
	} {
		remember(t, e, text)
	}
	for i := range 30 {
		remember(t, e, fmt.Sprintf("Room %d of the school has %d chairs and a map of the %dth century.", i, 20+i, 3+i%16))
	}
	for text, want := range map[string]int{
		"The printer is out of paper.":                                      0,
		"Our logo is a heron.":                                              0,
		"Frankfurt hosts the staging database.":                             1,
		"We decided that tests run on Chromium.":                            1,
		strings.Repeat("the cluster of staging in Frankfurt and then ", 30): 0,
	} {
		r, err := e.Remember(t.Context(), api.RememberRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Near) + len(r.Links); got < want || want == 0 && got > 0 {
			t.Errorf("%q: %d near and linked, want %d: %+v", text, got, want, r.Near)
		}
	}
}

// A memory that is there already takes the place of another by one word: at once among an agent's own, as a proposal
// where a person decides; undo brings the old one back.
func TestCorrectBy(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	old := add(t, p.Agent, "note", "The staging cluster runs in Frankfurt")
	now := add(t, p.Agent, "note", "Staging sits in Dublin")
	by := func(e *engine.Engine, ref, by string) api.CorrectReply {
		t.Helper()
		r, err := e.Correct(t.Context(), api.CorrectRequest{Ref: ref, By: by, Why: "moved"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	shown := func(ref string) string {
		t.Helper()
		m, err := p.Owner.Show(t.Context(), api.RefRequest{Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		return m.Hidden
	}
	if r := by(p.Agent, old, now); r.Done != "replaced" || r.Ref != now || shown(old) != "superseded" || shown(now) != "" {
		t.Errorf("among an agent's own: %+v, %q, %q", r, shown(old), shown(now))
	}
	undo(t, p.Agent)
	if shown(old) != "" || shown(now) != "" {
		t.Errorf("undone: %q, %q", shown(old), shown(now))
	}
	persons := add(t, p.Owner, "note", "The build runs on Jenkins")
	agents := add(t, p.Agent, "note", "Builds run on Buildkite")
	if r := by(p.Agent, persons, agents); r.Done != "proposed" || shown(persons) != "" || shown(agents) != "" {
		t.Errorf("over a person's word: %+v, %q, %q", r, shown(persons), shown(agents))
	}
	if r := by(p.Owner, persons, agents); r.Done != "replaced" || shown(persons) != "superseded" {
		t.Errorf("by a person: %+v, %q", r, shown(persons))
	}
	belief := add(t, p.Agent, "belief", "Lunch is at noon")
	if r := by(p.Agent, belief, add(t, p.Agent, "note", "Lunch is at one")); r.Done != "replaced" ||
		shown(belief) != "superseded" || r.Type != "belief" || r.Headline != "Lunch is at one" {
		t.Errorf("by another kind: %+v, %q", r, shown(belief))
	}
	for what, in := range map[string]api.CorrectRequest{
		"itself":         {Ref: now, By: now},
		"what is gone":   {Ref: now, By: persons},
		"two at once":    {Ref: now, By: old, Text: "Staging is in Rome"},
		"what is not":    {Ref: now, By: "note:00000000"},
		"is and by":      {Ref: now, By: old, Is: "over"},
		"no such memory": {Ref: "note:00000000", By: now},
	} {
		if r, err := p.Agent.Correct(t.Context(), in); err == nil {
			t.Errorf("by %s: %+v", what, r)
		}
	}
	if shown(now) != "" || shown(old) != "" {
		t.Error("a refused correction changed something")
	}
}
