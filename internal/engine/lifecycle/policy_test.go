package lifecycle_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// An update that a policy applies supersedes what an agent of the same owner wrote,
// raises no tier and no review, and can be taken back, by its author and by a person.
func TestPolicyAppliesUpdates(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		policy  string
		persons bool // a person said the first
		before  func(t *testing.T, p *people, old string)
		want    bool
	}{
		"default":           {"", false, nil, false},
		"strict":            {"strict", false, nil, false},
		"project":           {"project", false, nil, true},
		"a person's memory": {"project", true, nil, false},
		"approved by a person": {"project", false, func(t *testing.T, p *people, old string) {
			approve(t, p.Owner, old)
		}, false},
		"approved by an agent, as earlier versions let it": {"project", false, func(t *testing.T, p *people, old string) {
			ref := refOf(t, old)
			take(t, p.Owner, p.Stolen(false).Says(&memory.Mark{Of: &ref, Verb: memory.Approve}))
		}, true},
		"protected": {"project", false, func(t *testing.T, p *people, old string) {
			mark(t, p.Owner, memory.Protect, "", old)
		}, false},
		"disputed": {"project", false, func(t *testing.T, p *people, old string) {
			if _, err := p.Owner.Witness(t.Context(), api.WitnessRequest{Ref: old, Attestation: "dispute"}); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, back := range []string{"undo", "undo link", "undo old", "undo new", "both", "old"} {
				p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = tt.policy })
				first := p.Agent
				if tt.persons {
					first = p.Owner
				}
				old := remember(t, first, "Alice works at Acme").Memories[0].Ref
				if tt.before != nil {
					tt.before(t, p, old)
				}
				r := remember(t, p.Agent, "Alice left Acme and joined StartupX")
				new, link := r.Memories[0], r.Links[0]
				if got := show(t, p.Owner, old).SupersededBy == new.Ref; got != tt.want {
					t.Fatalf("it is applied: %v, want %v", got, tt.want)
				}
				if !tt.want {
					break
				}
				if m := show(t, p.Owner, new.Ref); m.Review != "pending" || m.Tier != "inferred" || link.State != "applied" {
					t.Errorf("the update is %s, %s, its link %s", m.Review, m.Tier, link.State)
				}
				want := [2]string{"", ""}
				of := map[string]string{"undo link": link.Ref, "undo old": old, "undo new": new.Ref}[back]
				if back == "undo" {
					undo(t, p.Agent)
				} else if of != "" {
					add(t, p.Owner, "belief", "something else was said since")
					for _, tt := range []struct{ dry bool }{{true}, {false}} {
						r, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: of, DryRun: tt.dry})
						if err != nil || !slices.Equal(r.Undone, []string{link.Ref}) || !slices.Equal(r.Of, []string{old, new.Ref}) {
							t.Fatalf("%s: %+v, %v", back, r, err)
						}
					}
					if _, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: of}); !errors.Is(err, api.ErrConflict) {
						t.Errorf("%s again: %v, want a conflict", back, err)
					}
				} else if resolve(t, p.Owner, link.Ref, back); back == "old" {
					want[1] = "superseded"
				}
				if got := [2]string{show(t, p.Owner, old).Hidden, show(t, p.Owner, new.Ref).Hidden}; got != want {
					t.Errorf("%s: the two are %q, want %q", back, got, want)
				}
			}
		})
	}
}

// What applied by itself is a claim of the agent's key with its reason. Who rejects the newer
// memory is told how to bring back the older one.
func TestPolicyIsSigned(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "project" })
	old := remember(t, p.Agent, "Alice works at Acme").Memories[0].Ref
	r := remember(t, p.Agent, "Alice left Acme and joined StartupX")
	link := r.Links[0]
	claim := show(t, p.Owner, link.Ref)
	if claim.Author != show(t, p.Owner, r.Memories[0].Ref).Author || claim.Origin != "agent" || link.Reason == "" {
		t.Errorf("the claim is by %s, %s, reason %q, want the agent's key", claim.Author, claim.Origin, link.Reason)
	}
	d, err := p.Owner.Reject(t.Context(), api.DecideRequest{Refs: []string{r.Memories[0].Ref}})
	if err != nil || !strings.Contains(d.Hint, "undo "+short(link.Ref)) {
		t.Errorf("rejected: hint %q, %v, want how to bring it back", d.Hint, err)
	}
	if _, err := p.Owner.Undo(t.Context(), api.UndoRequest{Ref: link.Ref}); err != nil {
		t.Fatal(err)
	}
	if m := show(t, p.Owner, old); m.Hidden != "" {
		t.Errorf("what was replaced is %s, want it current", m.Hidden)
	}
}

// An agent's update of somebody else's memory in their space is a proposal, whatever policy it
// has; all who read the space are shown it.
func TestPolicyLeavesOthersMemories(t *testing.T) {
	folder := t.TempDir()
	ada := meeting(t, folder)
	old := remember(t, ada.Agent, "Alice works at Acme").Memories[0].Ref
	syncs(t, ada)
	bob := meeting(t, folder, func(c *engine.Config) { c.ReviewPolicy = "project" })
	syncs(t, bob)
	agent := bob.As(memory.OriginAgent, func(c *engine.Config) { c.Space = ada.Principal() + "/main" })
	in := api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "Alice works at StartupX"}}
	r, err := agent.Revise(t.Context(), in)
	if err != nil || r.Link == "" {
		t.Fatalf("%+v, %v, want a proposal", r, err)
	}
	remember(t, agent, "Alice left Acme and joined StartupX")
	syncs(t, bob, ada)
	for _, p := range []*people{ada, bob} {
		if m := show(t, p.Owner, old); m.SupersededBy != "" {
			t.Errorf("it is superseded by %s", m.SupersededBy)
		}
	}
	if _, links := waits(t, ada.Owner); len(links) == 0 {
		t.Error("the owner is not asked")
	}
	if _, links := waits(t, bob.Owner); len(links) == 0 {
		t.Error("a member is not shown what differs")
	}
}
