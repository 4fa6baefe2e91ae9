package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func rendered(t *testing.T, pack api.ContextReply, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, err := pack.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The same answer to another question of a conversation is another turn.
func TestEqualAnswersOfAConversationAreAllGiven(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{})
	for i, module := range []string{"parser", "lexer", "linker", "loader"} {
		answer := []string{"Yes, go ahead.", "No, leave it."}[i%2]
		for n, text := range []string{"Should we rewrite the " + module + " in Rust?", answer} {
			if _, err := e.Capture(t.Context(), api.CaptureRequest{
				Text: text, Event: "turn", Meta: api.Meta{Session: "rust"}, Speaker: []string{"assistant", "user"}[n],
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	pack, err := e.Context(t.Context(), api.ContextRequest{Query: "which modules do we rewrite in Rust", Budget: 4000})
	got := rendered(t, pack, err)
	if yes, no := strings.Count(got, "Yes, go ahead."), strings.Count(got, "No, leave it."); yes != 2 || no != 2 {
		t.Errorf("%d and %d answers: %s", yes, no, got)
	}
}

// Many constraints leave the best of each other section its place.
func TestConstraintsLeaveRoomForDecisions(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	approved := func(typ, text string) {
		t.Helper()
		if _, err := p.Owner.Add(t.Context(), api.AddRequest{
			Draft: api.Draft{Kind: "note", Type: typ, Text: text}, Meta: api.Meta{Approve: true},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		approved("constraint", fmt.Sprintf("Never touch module feed%d without running its own tests on staging", i))
	}
	approved("decision", "Orders are kept in PostgreSQL")
	for _, budget := range []int{500, 1000, 2000} {
		pack, err := p.Agent.Load(t.Context(), api.LoadRequest{Budget: budget})
		if got := rendered(t, pack, err); !strings.Contains(got, "Orders are kept in PostgreSQL") {
			t.Errorf("in %d tokens: %s", budget, got)
		}
	}
}

// Code in what is remembered is remembered.
func TestCodeIsRemembered(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"in a fence": "Use this fix for the flaky test:\n```\ndef wait(fn):\n  while not fn():\n    sleep(1)\n```",
		"indented":   "Use this fix for the flaky test:\n\n    def wait(fn):\n      while not fn():\n        sleep(1)\n",
	} {
		e := open(t, "mem", engine.Config{})
		remember(t, e, text)
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: "fix for the flaky test"})
		if err != nil || len(r.Results) == 0 || !strings.Contains(r.Results[0].Text, "while not fn():") {
			t.Errorf("%s: %v, %+v", what, err, r.Results)
		}
	}
}

// Two decisions that contradict each other are marked, also where both were approved after they were written.
func TestTwoApprovedThatContradictAreMarked(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	decided := func(text string) string {
		t.Helper()
		return write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "note", Type: "decision", Text: text}})
	}
	old, now := decided("The API limit is 80 per minute"), decided("The API limit is 50 per minute")
	for _, ref := range []string{now, old} {
		if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range []*engine.Engine{p.Owner, p.As(memory.OriginAgent)} {
		r, err := e.Recall(t.Context(), api.RecallRequest{Query: "what is the API limit"})
		if err != nil || len(r.Results) != 2 || r.Results[0].Ref != now {
			t.Fatalf("%v, %+v", err, r.Results)
		}
		for i := range r.Results {
			m := strings.Join(r.Results[i].Marks, "; ")
			if !strings.Contains(m, "contradict") && !strings.Contains(m, "replace") {
				t.Errorf("%q is not marked: %q", r.Results[i].Text, m)
			}
		}
	}
}
