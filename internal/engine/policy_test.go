package engine_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
)

// An update that a policy applies supersedes what an agent of the same owner wrote,
// raises no tier and no review, and can be taken back, by its author and by a person.
func TestPolicyAppliesUpdates(t *testing.T) {
	for name, tt := range map[string]struct {
		policy  string
		persons bool // a person said the first
		approve bool
		want    bool
	}{
		"default":              {"", false, false, false},
		"project":              {"project", false, false, true},
		"a person's memory":    {"project", true, false, false},
		"approved by a person": {"project", false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, back := range []string{"undo", "both", "old"} {
				p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = tt.policy })
				first := p.agent
				if tt.persons {
					first = p.owner
				}
				old := remember(t, first, "Alice works at Acme").Memories[0].Ref
				if tt.approve {
					approve(t, p.owner, old)
				}
				r := remember(t, p.agent, "Alice left Acme and joined StartupX")
				new, link := r.Memories[0], r.Links[0]
				if got := show(t, p.owner, old).SupersededBy == new.Ref; got != tt.want {
					t.Fatalf("it is applied: %v, want %v", got, tt.want)
				}
				if !tt.want {
					break
				}
				if m := show(t, p.owner, new.Ref); m.Review != "pending" || m.Tier != "inferred" || link.State != "accepted" {
					t.Errorf("the update is %s, %s, its link %s", m.Review, m.Tier, link.State)
				}
				want := [2]string{"", ""}
				if back == "undo" {
					undo(t, p.agent)
				} else if resolve(t, p.owner, link.Ref, back); back == "old" {
					want[1] = "superseded"
				}
				if got := [2]string{show(t, p.owner, old).Hidden, show(t, p.owner, new.Ref).Hidden}; got != want {
					t.Errorf("%s: the two are %q, want %q", back, got, want)
				}
			}
		})
	}
}
