package exchange_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Who reads all spaces decides beside what they decide about; about a stranger's record, in what is their own. A new
// memory still needs a space.
func TestDecidingEverywhere(t *testing.T) {
	p := newPeople(t)
	there := p.As(memory.OriginAgent, func(c *engine.Config) { c.Space = "kiosk" })
	all := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = engine.AllSpaces })
	where := func(claim string) string {
		t.Helper()
		m, err := all.Show(t.Context(), api.RefRequest{Ref: claim})
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(m.Space, "/")
		return name
	}
	said, err := all.Witness(t.Context(),
		api.WitnessRequest{Ref: add(t, there, "belief", "one"), Attestation: "dispute"})
	if err != nil {
		t.Fatal(err)
	}
	verified, err := all.Verify(t.Context(), api.VerifyRequest{Ref: add(t, there, "belief", "two")})
	if err != nil {
		t.Fatal(err)
	}
	approved, err := all.Approve(t.Context(), api.DecideRequest{Refs: []string{add(t, there, "belief", "three")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range []string{said.Claim, verified.Claim, approved.Claim} {
		if got := where(claim); got != "kiosk" {
			t.Errorf("%s lies in %q", claim, got)
		}
	}
	foreign := p.Friend("Ada").Says(&memory.Belief{Statement: "the weir holds"})
	take(t, p.Owner, foreign)
	seen, err := all.Witness(t.Context(), api.WitnessRequest{Ref: foreign.Ref().String(), Attestation: "confirm"})
	if err != nil {
		t.Fatal(err)
	}
	if got := where(seen.Claim); got != "me" {
		t.Errorf("a word about a stranger's record lies in %q", got)
	}
	_, err = all.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "where?"}})
	if err == nil || !strings.Contains(err.Error(), "needs one space") {
		t.Errorf("a new memory in all spaces: %v", err)
	}
}
