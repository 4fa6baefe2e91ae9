package recall_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Of two memories that contradict each other the newer is given first, whichever of them the question is nearer to,
// unless a person decided the older and an agent says the newer: then the older is.
func TestTheNewerOfTwoThatContradictIsGivenFirst(t *testing.T) {
	for _, c := range []struct {
		name         string
		first, later func(p *people) *engine.Engine
		wantsNewer   bool
	}{
		{"a person, twice", owner, owner, true},
		{"an agent, twice", agent, agent, true},
		{"a person after an agent", agent, owner, true},
		{"an agent after a person", owner, agent, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPeople(t)
			older := remember(t, c.first(p), "The default port is 8080").Memories[0].Ref
			said := remember(t, c.later(p), "The default port is 9090, not 8080")
			newer := said.Memories[0].Ref
			if len(said.Links) != 1 || said.Links[0].Relation != "contradict" {
				t.Fatalf("links: %+v", said.Links)
			}
			for _, query := range []string{"default port is 8080", "default port", "9090 port"} {
				at := map[string]int{}
				for i, r := range search(t, p.Owner, api.SearchRequest{Query: query, Kind: "belief"}).Results {
					at[r.Ref] = i + 1
					if len(r.Undecided) == 0 || !strings.HasPrefix(r.Undecided[0], "contradicts belief:") {
						t.Errorf("%q: %s has no mark: %q", query, r.Ref, r.Undecided)
					}
				}
				if at[older] == 0 || at[newer] == 0 {
					t.Fatalf("%q finds %v", query, at)
				}
				if first := at[newer] < at[older]; first != c.wantsNewer {
					t.Errorf("%q: the newer is at place %d, the older at %d", query, at[newer], at[older])
				}
			}
		})
	}
}

func owner(p *people) *engine.Engine { return p.Owner }
func agent(p *people) *engine.Engine { return p.Agent }
