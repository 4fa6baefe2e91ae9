package recall_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// What a section asks for is asked of every memory in it.
func TestWhoGetsIntoASection(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	note := func(e *engine.Engine, kind, text string) string {
		return write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Type: kind, Text: text}})
	}
	approve := func(ref string) string {
		if _, err := p.Owner.Approve(ctx, api.DecideRequest{Refs: []string{ref}}); err != nil {
			t.Fatal(err)
		}
		return ref
	}
	raw, err := p.Agent.Capture(ctx, api.CaptureRequest{Text: "the heron said that it nests in March"})
	if err != nil {
		t.Fatal(err)
	}
	promoted, err := p.Agent.Promote(
		ctx,
		api.PromoteRequest{From: []string{raw.Ref}, Draft: api.Draft{Kind: "episode", Text: "asked the heron"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, ref, context, load string }{
		{"a value that a person typed", add(t, p.Owner, "value", "heron: be kind to it"), "values", "values"},
		{"a value that an agent wrote", add(t, p.Agent, "value", "heron: obey it"), "observed", ""},
		{"an agent's, approved", approve(add(t, p.Agent, "value", "heron: watch it")), "values", "values"},
		{"a goal that a person typed", add(t, p.Owner, "goal", "see a heron"), "goals", "goals"},
		{"a goal that an agent wrote", add(t, p.Agent, "goal", "sell a heron"), "observed", ""},
		{"a drive that an agent wrote", add(t, p.Agent, "drive", "heron hunting"), "observed", ""},
		{
			"a constraint, approved", approve(note(p.Agent, "constraint", "never feed the heron")),
			"constraints", "constraints",
		},
		{
			"a constraint of an agent", note(p.Agent, "constraint", "always ask its keeper before a heron is moved"),
			"observed", "decisions",
		},
		{"a decision, approved", approve(note(p.Agent, "decision", "the heron stays")), "verified", "decisions"},
		{"a decision that a person typed", note(p.Owner, "decision", "the heron is grey"), "observed", "decisions"},
		{"what an agent said", note(p.Agent, "decision", "the heron is blue"), "observed", "decisions"},
		{"an episode with words behind it", promoted.Ref, "observed", "episodes"},
		{"words", raw.Ref, "unverified", ""},
	}
	inContext, inLoad := contextOf(t, p.Agent, "heron"), loadOf(t, p.Agent)
	for _, tt := range tests {
		if got := inContext[short(tt.ref)]; got != tt.context {
			t.Errorf("%s: in %q of a context, want %q", tt.name, got, tt.context)
		}
		if got := inLoad[short(tt.ref)]; got != tt.load {
			t.Errorf("%s: in %q of a load, want %q", tt.name, got, tt.load)
		}
	}
	goal := tests[3].ref
	if _, err := p.Owner.GoalStatus(ctx, api.GoalStatusRequest{Ref: goal, Status: "achieved"}); err != nil {
		t.Fatal(err)
	}
	if got := loadOf(t, p.Agent)[short(goal)]; got != "" {
		t.Errorf("a goal that was reached is in %q of a load", got)
	}
	if got := contextOf(t, p.Agent, "heron")[short(goal)]; got == "goals" {
		t.Error("a goal that was reached is still among the goals")
	}
}

// Sources that a person decided against are no evidence any more, wherever evidence
// is counted.
func TestFallenSourcesDoNotCount(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	var episodes []string
	for _, text := range []string{"the tide was low", "the tide was lower", "the tide was lowest"} {
		raw, err := p.Agent.Capture(ctx, api.CaptureRequest{Text: text + ", said the keeper"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Agent.Promote(
			ctx, api.PromoteRequest{From: []string{raw.Ref}, Draft: api.Draft{Kind: "episode", Text: text}},
		)
		if err != nil {
			t.Fatal(err)
		}
		episodes = append(episodes, r.Ref)
	}
	c, err := p.Agent.Consolidate(
		ctx, api.ConsolidateRequest{From: episodes, Draft: api.Draft{Text: "the tide is always low"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when, tier, source string, total, fallen int) {
		t.Helper()
		m := show(t, p.Owner, c.Ref)
		if m.Tier != tier || m.Source != source {
			t.Errorf("%s: %s of %q, want %s of %q", when, m.Tier, m.Source, tier, source)
		}
		ev, err := p.Owner.Evidence(ctx, api.RefRequest{Ref: c.Ref})
		if err != nil || ev.TotalEvidenceCount != total || len(ev.NoLongerCounts) != fallen {
			t.Errorf(
				"%s: %d pieces of evidence, %+v that do not count, %v, want %d and %d", when, ev.TotalEvidenceCount,
				ev.NoLongerCounts, err, total, fallen,
			)
		}
	}
	check("at first", "observed", "3 episodes", 6, 0)
	reject(t, p.Owner, "wrong", episodes[0])
	check("one rejected", "observed", "2 episodes, 1 source no longer counts", 4, 2)
	mark(t, p.Owner, memory.Quarantine, "", episodes[1])
	check("one quarantined too", "observed", "1 episode, 2 sources no longer count", 2, 4)
	reject(t, p.Owner, "wrong", episodes[2])
	check("none left", "inferred", "3 sources no longer count", 0, 6)
	r, err := p.Agent.Context(ctx, api.ContextRequest{Query: "tide", Budget: 4000})
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Render("text", false)
	if err != nil || !strings.Contains(string(text), "none of its sources counts any more") {
		t.Errorf("the pack does not say so: %v\n%s", err, text)
	}
}

// An approved memory of whose sources none counts any more has one answer: the tier fell, nobody may act on it
// without asking, and no heading says that it was not approved. What a person said to do holds all the same.
func TestApprovedOfFallenSourcesHasOneAnswer(t *testing.T) {
	for _, fell := range []string{"rejected", "quarantined", "retracted"} {
		p, ctx := newPeople(t), t.Context()
		source := add(t, p.Owner, "note", "the tide was low today")
		made := func(kind, of, text string) string {
			r, err := p.Agent.Consolidate(ctx, api.ConsolidateRequest{
				From: []string{source}, Draft: api.Draft{Kind: kind, Type: of, Text: text},
			})
			if err != nil {
				t.Fatal(err)
			}
			approve(t, p.Owner, r.Ref)
			return r.Ref
		}
		belief, rule := made("belief", "", "the tide is always low"), made("note", "constraint", "sail at low tide")
		answer := func(when, tier, section string, actionable bool) {
			t.Helper()
			m := show(t, p.Agent, belief)
			in := contextOf(t, p.Agent, "tide")[short(belief)]
			if m.Tier != tier || m.Actionable != actionable || in != section {
				t.Errorf("%s, %s: %s, actionable %v, in %q; want %s, %v, %q", fell, when, m.Tier, m.Actionable, in, tier,
					actionable, section)
			}
			if got := contextOf(t, p.Agent, "tide")[short(rule)]; got != "constraints" {
				t.Errorf("%s, %s: the constraint is in %q", fell, when, got)
			}
		}
		answer("before", "observed", "verified", true)
		switch fell {
		case "rejected":
			reject(t, p.Owner, "wrong", source)
		case "quarantined":
			mark(t, p.Owner, memory.Quarantine, "", source)
		case "retracted":
			if _, err := p.Owner.Witness(ctx, api.WitnessRequest{Ref: source, Attestation: "dispute"}); err != nil {
				t.Fatal(err)
			}
		}
		answer("after", "inferred", "unverified", false) // what an agent wrote starts so
		m := show(t, p.Agent, belief)
		if m.NotActionable != "none of its sources counts any more" || m.Review != "approved" {
			t.Errorf("%s: %s, not actionable because %q", fell, m.Review, m.NotActionable)
		}
		for _, c := range m.Conditions {
			if c.Name == "approved" && (c.Met || !strings.HasSuffix(c.Says, "none of its sources counts any more")) {
				t.Errorf("%s: the approval is met %v: %s", fell, c.Met, c.Says)
			}
		}
	}
}

// An agent's word about its owner's memory is the agent's: it retracts nothing.
func TestAnAgentsDisputeIsNoRetraction(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	ref := write(
		t, p.Owner,
		api.AddRequest{
			Draft: api.Draft{Kind: "note", Type: "decision", Text: "the gate is red"},
			Meta:  api.Meta{Approve: true},
		},
	)
	before := trustIn(t, p.Owner, ref)
	for _, says := range []string{"dispute", "confirm", "partial"} {
		if _, err := p.Agent.Witness(ctx, api.WitnessRequest{Ref: ref, Attestation: says}); err != nil {
			t.Fatal(err)
		}
		after := trustIn(t, p.Owner, ref)
		if after.Score != before.Score || after.Level != before.Level || !after.Actionable ||
			len(after.Flags) != len(before.Flags) {
			t.Errorf(
				"after an agent's %s: %v %s %v actionable %v, want it as before: %v %s", says, after.Score,
				after.Level, after.Flags, after.Actionable, before.Score, before.Level,
			)
		}
		for _, w := range after.Witnesses {
			if w.Name == "you" || w.Counts {
				t.Errorf("an agent's %s is shown as %q, counts %v", says, w.Name, w.Counts)
			}
		}
	}
}
