package views_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A dispute by one's own agent is the agent's: made and rejected, it costs nobody's reputation.
func TestOwnAgentsDisputeCostsNoReputation(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	ref := add(t, p.Owner, "belief", "the harbour is deep")
	before, err := p.Owner.Reputation(ctx, api.NameRequest{})
	if err != nil || before.Reputation != 0.5 || before.Name != "you" || !before.Known {
		t.Fatalf("reputation at first: %+v, %v, want 0.5", before, err)
	}
	w, err := p.Agent.Witness(ctx, api.WitnessRequest{Ref: ref, Attestation: "dispute"})
	if err != nil {
		t.Fatal(err)
	}
	reject(t, p.Owner, "no", w.Claim)
	if got, err := p.Agent.Reputation(ctx, api.NameRequest{Name: "you"}); err != nil || got != before {
		t.Errorf("after its rejection: %+v, %v, want %+v", got, err, before)
	}
	if got := trustIn(t, p.Owner, ref); got.AuthorReputation.Refuted != 0 || got.AuthorReputation.Value != 0.5 {
		t.Errorf("trust says: %+v", got.AuthorReputation)
	}
	stranger := "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
	if got, err := p.Owner.Reputation(ctx, api.NameRequest{Name: stranger}); err != nil || got.Known ||
		got.Reputation != 0 || got.AgentID != stranger {
		t.Errorf("a stranger: %+v, %v, want 0", got, err)
	}
	if _, err := p.Owner.Reputation(ctx, api.NameRequest{Name: "Nobody"}); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("a name nobody has: %v", err)
	}
}

// A memory is compared with those that are named, whatever else is like it.
func TestCompareWithNamed(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	near := add(t, p.Agent, "belief", "Alice works at Acme")
	other := add(t, p.Agent, "belief", "Alice works at Initech")
	newer := add(t, p.Agent, "belief", "Alice left Initech and joined StartupX")
	r, err := p.Agent.Compare(ctx, api.CompareRequest{Ref: newer, With: []string{other}, Wait: true})
	if err != nil || len(r.Links) != 1 || r.Links[0].Old.Ref != other {
		t.Errorf("links %+v, %v, want one to %s and none to %s", r.Links, err, other, near)
	}
	for says, with := range map[string][]string{
		"at most 10": {near, near, near, near, near, near, near, near, near, near, near}, "itself": {newer},
	} {
		if _, err := p.Agent.Compare(ctx, api.CompareRequest{Ref: newer, With: with}); !errors.Is(err, api.ErrInvalid) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("with %d: %v, want %q", len(with), err, says)
		}
	}
}
