package lifecycle_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// Undo goes back act by act, each as if it had never been, and past what it did
// itself; also while the clock stands still.
func TestUndoGoesBackActByAct(t *testing.T) {
	p := newPeople(t)
	p.Stop()
	ctx := t.Context()
	note := add(t, p.Owner, "note", "the ferry is late")
	value := add(t, p.Owner, "value", "patience")
	agents := add(t, p.Agent, "note", "the ferry is on time")
	was := show(t, p.Owner, note)
	one := api.ForgetRequest{Refs: []string{note}}
	steps := []struct {
		act string
		do  func() error
	}{
		{"approve of ", func() error { approve(t, p.Owner, note); return nil }},
		{"protect of 2 records", func() error { mark(t, p.Owner, memory.Protect, "", note, value); return nil }},
		{"unprotect of ", func() error { return enginetest.Do(p.Owner.Unprotect(ctx, one)) }},
		{"forget of ", func() error { return enginetest.Do(p.Owner.Forget(ctx, one)) }},
		{"recover of ", func() error { return enginetest.Do(p.Owner.Recover(ctx, one)) }},
		{"quarantine of ", func() error {
			return enginetest.Do(p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: note}))
		}},
		{"reject of ", func() error { reject(t, p.Owner, "", note); return nil }},
	}
	var before []api.ShowReply
	for _, s := range steps {
		before = append(before, show(t, p.Owner, note))
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.act, err)
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		r := undo(t, p.Owner)
		got, want := show(t, p.Owner, note), before[i]
		if !strings.HasPrefix(r.Act, steps[i].act) || len(r.Claims) != 1 || len(r.Undone) != 1 {
			t.Errorf("undid %+v, want %s", r, steps[i].act)
		}
		if stateOf(got) != stateOf(want) {
			t.Errorf("after undo of %s: %s, want %s", steps[i].act, stateOf(got), stateOf(want))
		}
	}
	if m := show(t, p.Owner, value); !m.Protected {
		t.Error("a value is protected whoever takes a protection back")
	}
	if got := show(t, p.Owner, note); stateOf(got) != stateOf(was) {
		t.Errorf("in the end: %s, want %s", stateOf(got), stateOf(was))
	}
	for _, want := range []string{value, note} {
		r := undo(t, p.Owner)
		if r.Undone[0] != want || show(t, p.Owner, want).Hidden != "forgotten" {
			t.Errorf("undid %+v, want what was written: %s", r, want)
		}
	}
	if err := enginetest.Do(p.Owner.Undo(ctx, api.UndoRequest{})); !errors.Is(err, api.ErrConflict) {
		t.Errorf("nothing is left: %v, want a conflict", err)
	}
	if m := show(t, p.Owner, agents); m.Hidden != "" {
		t.Error("the owner's undo took back what the agent did")
	}
}

func stateOf(m api.ShowReply) string {
	return fmt.Sprint(m.Hidden, " ", m.Review, " ", m.Tier, " protected ", m.Protected, " ", m.Confidence)
}

// A revision is followed by one that says again what it replaced; a run comes back
// as one act, however many marks it took; what was written and approved at once is
// forgotten as one.
func TestUndoOfWhatWasWritten(t *testing.T) {
	p := newPeople(t)
	ctx := t.Context()
	note := add(t, p.Owner, "note", "the pier is closed")
	revise(t, p.Owner, note, "the pier is open")
	dry, err := p.Owner.Undo(ctx, api.UndoRequest{DryRun: true})
	if err != nil || len(dry.Claims) > 0 || !strings.HasPrefix(dry.Act, "revised note:") {
		t.Errorf("dry run: %+v, %v", dry, err)
	}
	r := undo(t, p.Owner)
	l, err := p.Owner.List(ctx, api.ListRequest{Kind: "note"})
	if err != nil || len(l.Memories) != 1 || l.Memories[0].Headline != "the pier is closed" ||
		l.Memories[0].Ref != r.Claims[0] {
		t.Errorf("after undo of a revision: %+v, %v", l.Memories, err)
	}
	both := write(
		t, p.Owner,
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the pier is long"}, Meta: api.Meta{Approve: true}},
	)
	if r := undo(t, p.Owner); len(r.Undone) != 2 || show(t, p.Owner, both).Hidden != "forgotten" {
		t.Errorf("written and approved: %+v", r)
	}
	again := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the pier is new"}})
	if err := enginetest.Do(
		p.Owner.Revise(
			ctx,
			api.ReviseRequest{Ref: again, Draft: api.Draft{Text: "the pier is very new"}, Meta: api.Meta{Approve: true}},
		),
	); err != nil {
		t.Fatal(err)
	}
	if r := undo(t, p.Owner); len(r.Undone) != 2 || show(t, p.Owner, r.Claims[0]).Headline != "the pier is new" {
		t.Errorf("revised and approved: %+v", r)
	}
	undo(t, p.Owner) // what was revised then
	if r := undo(t, p.Owner); r.Undone[0] != note {
		t.Errorf("before the revision: %+v, want %s", r, note)
	}
	merged := []string{add(t, p.Owner, "note", "one"), add(t, p.Owner, "note", "two")}
	if err := enginetest.Do(
		p.Owner.Revise(ctx, api.ReviseRequest{Ref: merged[0], Merge: merged[1:], Draft: api.Draft{Text: "both"}}),
	); err != nil {
		t.Fatal(err)
	}
	if err := enginetest.Do(p.Owner.Undo(ctx, api.UndoRequest{})); !errors.Is(err, api.ErrConflict) ||
		!strings.Contains(err.Error(), "merge") {
		t.Errorf("a merge: %v, want a conflict that says so", err)
	}
	secret := capture(t, p.Owner, "to be purged")
	if err := enginetest.Do(p.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{secret}})); err != nil {
		t.Fatal(err)
	}
	if err := enginetest.Do(p.Owner.Undo(ctx, api.UndoRequest{})); !errors.Is(err, api.ErrConflict) ||
		!strings.Contains(err.Error(), "purge") {
		t.Errorf("a purge: %v, want a conflict that says so", err)
	}
}

// The owner's update is taken back by a link of another kind, and both hold.
func TestUndoOfALink(t *testing.T) {
	p := newPeople(t)
	old, newer := add(t, p.Owner, "belief", "Ann lives in Bath"), add(t, p.Owner, "belief", "Ann lives in Leeds")
	link(t, p.Owner, old, newer, memory.Update)
	if show(t, p.Owner, old).Hidden != "superseded" {
		t.Fatal("the owner's update does not supersede")
	}
	if r := undo(t, p.Owner); r.Did != "both are current until somebody decides" || show(t, p.Owner, old).Hidden != "" {
		t.Errorf("undid %+v, and %s is %q", r, old, show(t, p.Owner, old).Hidden)
	}
	proposed := link(t, p.Agent, old, newer, memory.Update)
	if r := undo(t, p.Agent); r.Undone[0] != proposed || show(t, p.Agent, proposed).Hidden != "rejected" {
		t.Errorf("undid %+v", r)
	}
}

func link(t testing.TB, e *engine.Engine, older, newer, relation string) string {
	t.Helper()
	ref, err := enginetest.SignLink(t.Context(), e, older, newer, relation)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// What a person said as a witness can be taken back, and counts no more.
func TestUndoOfAWitness(t *testing.T) {
	p := newPeople(t)
	ref := add(t, p.Agent, "note", "the ferry is on time")
	if _, err := p.Owner.Witness(t.Context(), api.WitnessRequest{Ref: ref, Attestation: "dispute"}); err != nil {
		t.Fatal(err)
	}
	if !show(t, p.Owner, ref).Disputed {
		t.Fatal("a disputed note is not shown as disputed")
	}
	r := undo(t, p.Owner)
	if len(r.Of) != 1 || r.Of[0] != ref || !strings.HasPrefix(r.Act, "dispute ") {
		t.Errorf("undid %+v", r)
	}
	if show(t, p.Owner, ref).Disputed {
		t.Error("it is disputed after the dispute was taken back")
	}
	if again, err := p.Owner.Undo(t.Context(), api.UndoRequest{}); err == nil && strings.HasPrefix(again.Act, "dispute ") {
		t.Errorf("the dispute is taken back twice: %+v", again)
	}
}

// What one command kept and made is undone as one, by who gave it, and what is drafted of a
// person's words is not an agent's act.
func TestUndoOfRememberIsOneAct(t *testing.T) {
	p := newPeople(t)
	for name, e := range map[string]*engine.Engine{"person": p.Owner, "agent": p.Agent} {
		r := remember(t, e, "The colour of the "+name+" is teal")
		if name == "person" {
			if err := enginetest.Do(p.Agent.Undo(t.Context(), api.UndoRequest{})); !errors.Is(err, api.ErrConflict) {
				t.Errorf("an agent undoes what was drafted of a person's words: %v", err)
			}
		}
		u := undo(t, e)
		if len(u.Undone) != 2 || show(t, p.Owner, r.Ref).Hidden != "forgotten" ||
			show(t, p.Owner, r.Memories[0].Ref).Hidden != "forgotten" {
			t.Errorf("%s: undid %+v", name, u)
		}
		if got := search(t, e, api.SearchRequest{Query: "colour " + name}); len(got.Results) > 0 {
			t.Errorf("%s: found after undo: %v", name, refs(got))
		}
		if err := enginetest.Do(e.Undo(t.Context(), api.UndoRequest{})); !errors.Is(err, api.ErrConflict) {
			t.Errorf("%s: a second undo: %v, want a conflict", name, err)
		}
	}
}

// A chain of corrections comes back step by step, to the first words and to none.
func TestUndoOfAChainOfCorrections(t *testing.T) {
	p := newPeople(t)
	for name, e := range map[string]*engine.Engine{"person": p.Owner, "agent": p.Agent} {
		now := remember(t, e, "The "+name+" listens on port 8080").Memories[0].Ref
		for _, port := range []string{"9090", "7070"} {
			r, err := e.Correct(t.Context(), api.CorrectRequest{Ref: now, Text: "The " + name + " listens on port " + port})
			if err != nil || r.Done != "replaced" {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
			now = r.Ref
		}
		for _, want := range []string{"9090", "8080", ""} {
			u := undo(t, e)
			got := search(t, e, api.SearchRequest{Query: name + " port"})
			if want == "" {
				if len(got.Results) > 0 {
					t.Errorf("%s: found after the last undo (%+v): %v", name, u, refs(got))
				}
				continue
			}
			if len(got.Results) == 0 || !strings.Contains(got.Results[0].Text, want) {
				t.Errorf("%s: undid %+v, found %+v, want %s", name, u, got.Results, want)
			}
		}
		if err := enginetest.Do(e.Undo(t.Context(), api.UndoRequest{})); !errors.Is(err, api.ErrConflict) {
			t.Errorf("%s: a further undo: %v, want a conflict", name, err)
		}
	}
}
