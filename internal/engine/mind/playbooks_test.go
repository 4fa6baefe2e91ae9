package mind_test

import (
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Playbooks are found by name, situation and steps, and say how often they helped.
func TestPlaybooks(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		back := write(t, e, api.AddRequest{Draft: api.Draft{
			Kind: "playbook", Text: "Roll back a release", When: "errors rise after a deploy",
			Steps: []string{"stop the rollout", "revert the tag"},
		}})
		add(t, e, "playbook", "Water the plants")
		add(t, e, "note", "errors rise after a deploy")
		outcome := func(o string) api.MarkReply {
			t.Helper()
			r, err := e.PlaybookOutcome(t.Context(), api.PlaybookOutcomeRequest{Ref: back, Outcome: o, Notes: "tried it"})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if m := show(t, e, back); m.SuccessRate != nil {
			t.Errorf("never used, and helped %v", *m.SuccessRate)
		}
		outcome("success")
		outcome("success")
		if m := outcome("failure").Memory; m.Uses != 3 || m.Successes != 2 || *m.SuccessRate != 0.667 {
			t.Errorf("%d uses, %d helped (%v), want 3, 2", m.Uses, m.Successes, *m.SuccessRate)
		}
		for _, situation := range []string{"errors after the deploy", "rolling back", "revert tag"} {
			r, err := e.PlaybookFind(t.Context(), api.PlaybookFindRequest{Situation: situation})
			if err != nil || len(r.Playbooks) != 1 || r.Playbooks[0].Ref != back || r.Playbooks[0].Uses != 3 ||
				r.Playbooks[0].Rank != 1 || r.Playbooks[0].Score <= 0 {
				t.Errorf("%s: %+v, %v, want the one", situation, r.Playbooks, err)
			}
		}
		for _, bad := range []string{"", "great"} {
			if _, err := e.PlaybookOutcome(t.Context(), api.PlaybookOutcomeRequest{Ref: back, Outcome: bad}); !isInvalid(err) {
				t.Errorf("outcome %q: %v, want it invalid", bad, err)
			}
		}
	})
	p := newPeople(t)
	if _, err := p.Agent.PlaybookOutcome(
		t.Context(), api.PlaybookOutcomeRequest{Ref: add(t, p.Owner, "playbook", "Mine"), Outcome: "success"},
	); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent of the owner's playbook: %v, want it forbidden", err)
	}
}
