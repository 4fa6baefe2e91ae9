package removal_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// What was forgotten and rejected is still rejected after a recovery: the reply says so, by whom, and what to do.
func TestRecoverSaysWhatIsHiddenStill(t *testing.T) {
	p := newPeople(t)
	ctx := t.Context()
	both, shut, only := add(t, p.Owner, "note", "never on Fridays"), add(t, p.Owner, "note", "the lift is slow"),
		add(t, p.Owner, "note", "the stairs are slow")
	mark(t, p.Owner, memory.Forget, "", both, shut, only)
	if _, err := p.Owner.Reject(ctx, api.DecideRequest{Refs: []string{both}, Reason: "it is wrong"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: shut}); err != nil {
		t.Fatal(err)
	}
	r, err := p.Owner.Recover(ctx, api.ForgetRequest{Refs: []string{both, shut, only}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		" stays rejected by you on ", `: "it is wrong"; ` + "`approve note:", " force=true` shows it again",
		" stays in quarantine; `release note:",
	} {
		if !strings.Contains(r.Hint, want) {
			t.Errorf("hint = %q, want %q", r.Hint, want)
		}
	}
	if strings.Contains(r.Hint, only[:13]) {
		t.Errorf("hint = %q names what is back", r.Hint)
	}
	if got := show(t, p.Owner, both).Hidden; got != "rejected" {
		t.Errorf("hidden = %q, want rejected", got)
	}
	if r, err := p.Owner.Recover(ctx, api.ForgetRequest{Refs: []string{only}}); err != nil || r.Hint != "" {
		t.Errorf("hint = %q, %v, want none: it is back", r.Hint, err)
	}
}

// A memory whose source was replaced says so where it is shown; a revision does not say so of what it replaced.
func TestShowNamesReplacedSources(t *testing.T) {
	p := newPeople(t)
	note := add(t, p.Owner, "note", "the port is 8080")
	made, err := p.Owner.Consolidate(t.Context(), api.ConsolidateRequest{
		From: []string{note}, Draft: api.Draft{Text: "the port is high"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if up := show(t, p.Owner, made.Ref).Upstream; len(up) != 0 {
		t.Errorf("upstream = %+v, want none yet", up)
	}
	revised, err := p.Owner.Revise(t.Context(), api.ReviseRequest{Ref: note, Draft: api.Draft{Text: "the port is 9090"}})
	if err != nil {
		t.Fatal(err)
	}
	up := show(t, p.Owner, made.Ref).Upstream
	if len(up) != 1 || up[0].Ref != note || up[0].Why != "replaced by "+revised.Ref[:13] {
		t.Errorf("upstream = %+v, want %s, replaced by %s", up, note, revised.Ref)
	}
	if up := show(t, p.Owner, revised.Ref).Upstream; len(up) != 0 {
		t.Errorf("upstream of the revision = %+v, want none", up)
	}
	got, err := p.Owner.Provenance(t.Context(), api.RefRequest{Ref: note})
	if err != nil || got.Hidden != "superseded" {
		t.Errorf("provenance: hidden = %q, %v, want superseded", got.Hidden, err)
	}
}
