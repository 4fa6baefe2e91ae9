//go:build !race

package engine_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Whatever way poison takes into a store, it can be found there, and no one is told
// to act on it.
func TestPoisonedWritesStayUnverified(t *testing.T) {
	t.Parallel()
	p := &poisoner{people: newPeople(t), made: make(map[string]int), way: make(map[string]string)}
	p.agents(15 / min(fewer, 5))
	p.documents(30 / min(fewer, 5))
	p.strangers(40 / min(fewer, 5))
	if want := 500 / min(fewer, 5); len(p.way) < want {
		t.Errorf("%d poisoned writes, want %d", len(p.way), want)
	}
	p.Stop()
	for who, e := range map[string]*engine.Engine{"owner": p.Owner, "agent": p.Agent} {
		found := make(map[string]bool)
		for _, r := range search(t, e, api.SearchRequest{Query: bait, Limit: 1000}).Results {
			found[r.Ref] = true
			for _, ref := range r.Wording { // it shares the line of what says the same
				found[ref] = true
			}
			if way := p.way[r.Ref]; way != "" && (r.Level != "unverified" || r.Actionable) {
				t.Errorf("%s finds %s of %s: %s, actionable %v", who, r.Ref, way, r.Level, r.Actionable)
			}
		}
		for ref, way := range p.way {
			if !found[ref] {
				t.Errorf("%s does not find %s of %s", who, ref, way)
			}
			if tr := trustIn(t, e, ref); tr.Level != "unverified" || tr.Actionable {
				t.Errorf("to the %s %s of %s is %s, actionable %v, because of %v", who, ref, way, tr.Level, tr.Actionable, tr.Terms)
			}
		}
		wantRefs(
			t, who+" asks for what is attested",
			search(t, e, api.SearchRequest{Query: bait, Limit: 1000, MinLevel: "attested"}),
		)
	}
	load, err := p.Agent.Load(t.Context(), api.LoadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	pack, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: bait, Level: "deep"})
	if err != nil {
		t.Fatal(err)
	}
	for what, r := range map[string]api.ContextReply{"load": load, "context": pack} {
		for section, refs := range readPage(t, r).Refs() {
			switch section {
			case "values", "goals", "drives", "constraints", "verified", "needs":
				t.Errorf("%s gives %v under %s", what, refs, section)
			}
		}
	}
	t.Logf("%d poisoned writes: %v", len(p.way), p.made)
}
