package views_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// What is decided of a memory stands in the space of the memory, wherever the person
// who decides works, and so does what takes it back: whoever was given the one is given
// the other.
func TestMarksAreWrittenInTheRecordsSpace(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t)
	plans := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = "plans" })
	all := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = engine.AllSpaces })
	sizes := func() (main, there int64) {
		t.Helper()
		for e, n := range map[*engine.Engine]*int64{p.Owner: &main, plans: &there} {
			r, err := e.Checkpoint(ctx, api.CheckpointRequest{})
			if err != nil {
				t.Fatal(err)
			}
			*n = r.Size
		}
		return main, there
	}
	add(t, p.Owner, "note", "something in main")
	because := add(t, plans, "episode", "the herons nested in May")
	goal := add(t, plans, "goal", "count the nests")
	belief := add(t, plans, "belief", "herons nest in May")
	one := func(ref string) api.ForgetRequest { return api.ForgetRequest{Refs: []string{ref}} }
	step := 0.1
	acts := []struct {
		what string
		do   func(e *engine.Engine) error
		undo bool
	}{
		{
			"approve",
			func(e *engine.Engine) error {
				return enginetest.Do(e.Approve(ctx, api.DecideRequest{Refs: []string{belief}}))
			},
			true,
		},
		{
			"reject",
			func(e *engine.Engine) error {
				return enginetest.Do(e.Reject(ctx, api.DecideRequest{Refs: []string{belief}}))
			},
			true,
		},
		{"forget", func(e *engine.Engine) error { return enginetest.Do(e.Forget(ctx, one(belief))) }, true},
		{"protect", func(e *engine.Engine) error { return enginetest.Do(e.Protect(ctx, one(belief))) }, true},
		{"quarantine", func(e *engine.Engine) error {
			return enginetest.Do(e.Quarantine(ctx, api.QuarantineRequest{Target: belief}))
		}, true},
		{"goal status", func(e *engine.Engine) error {
			return enginetest.Do(e.GoalStatus(ctx, api.GoalStatusRequest{Ref: goal, Status: "paused"}))
		}, true},
		{"reinforce", func(e *engine.Engine) error {
			return enginetest.Do(e.Reinforce(ctx, api.ReinforceRequest{Ref: belief, Because: []string{because}, Step: &step}))
		}, false},
		{"verify", func(e *engine.Engine) error {
			return enginetest.Do(e.Verify(ctx, api.VerifyRequest{Ref: belief}))
		}, false},
		{"revise", func(e *engine.Engine) error {
			r, err := e.Revise(ctx, api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "herons nest in June"}})
			belief = r.Ref
			return err
		}, false},
	}
	for _, e := range []*engine.Engine{p.Owner, all} {
		for _, act := range acts {
			main, before := sizes()
			if act.what == "reinforce" && e == all {
				continue // one episode moves a memory once
			}
			if err := act.do(e); err != nil {
				t.Fatalf("%s in %q: %v", act.what, spaceOf(e, p.Owner), err)
			}
			if act.undo {
				undo(t, e)
			}
			now, after := sizes()
			if now != main || after == before || act.undo && after < before+2 {
				t.Errorf(
					"%s in %q: main went from %d records to %d, plans from %d to %d", act.what,
					spaceOf(e, p.Owner), main, now, before, after,
				)
			}
		}
	}
	list, err := plans.List(ctx, api.ListRequest{Kind: "belief"})
	if err != nil || len(list.Memories) != 1 || list.Memories[0].Ref != belief {
		t.Errorf("in plans there is %v, %v, want the last revision", list.Memories, err)
	}

	// approved at once
	main, before := sizes()
	r, err := p.Owner.Revise(
		ctx,
		api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "herons nest in spring"}, Meta: api.Meta{Approve: true}},
	)
	if now, after := sizes(); err != nil || now != main || after != before+2 {
		t.Errorf(
			"an approved revision: %v; main went from %d records to %d, plans from %d to %d, want two more there",
			err, main, now, before, after,
		)
	}
	belief = r.Ref

	// an agent of hers proposes there, too
	main, before = sizes()
	r, err = p.Agent.Revise(ctx, api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "herons nest in July"}})
	if err != nil || r.Link == "" {
		t.Fatalf("an agent's revision gives %+v, %v, want a proposal", r, err)
	}
	if now, after := sizes(); now != main || after != before+2 {
		t.Errorf(
			"a proposal: main went from %d records to %d, plans from %d to %d, want two more there", main, now,
			before, after,
		)
	}
}

func spaceOf(e, main *engine.Engine) string {
	if e == main {
		return "main"
	}
	return "*"
}

// An act on memories of several spaces is a mark in each, and is taken back as one.
func TestUndoOfAnActInSeveralSpaces(t *testing.T) {
	p := newPeople(t)
	var refs []string
	for i, space := range []string{"", "plans", "work"} {
		e := p.As(memory.OriginOwner, func(c *engine.Config) { c.Space = space })
		refs = append(refs, add(t, e, "note", fmt.Sprint("a note ", i)))
	}
	if _, err := p.Owner.Protect(t.Context(), api.ForgetRequest{Refs: refs}); err != nil {
		t.Fatal(err)
	}
	if r := undo(t, p.Owner); len(r.Undone) != 3 || r.Act != "protect of 3 records" {
		t.Errorf("undo took back %q, %d marks of three", r.Act, len(r.Undone))
	}
	for _, ref := range refs {
		if show(t, p.Owner, ref).Protected {
			t.Errorf("%s is protected", ref)
		}
	}
}

// What one decides for oneself about another's memory stays in one's own space.
func TestOfOthersSaidAtHome(t *testing.T) {
	ctx := t.Context()
	p, other := newPeople(t), newPeople(t)
	theirs := add(t, other.Owner, "belief", "the ferry is late")
	carry(t, other.Owner, p.Owner)
	add(t, p.Owner, "note", "of her own")
	before, err := p.Owner.Checkpoint(ctx, api.CheckpointRequest{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: theirs})
	if err != nil || len(q.Claims) != 1 {
		t.Fatalf("quarantine: %+v, %v", q, err)
	}
	after, err := p.Owner.Checkpoint(ctx, api.CheckpointRequest{})
	if err != nil || after.Space != before.Space || after.Size != before.Size+1 {
		t.Errorf("one's own space went from %d records to %d, %v, want one more", before.Size, after.Size, err)
	}
}
