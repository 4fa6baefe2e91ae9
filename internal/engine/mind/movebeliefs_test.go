package mind_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

func reviseBeliefs(t testing.TB, e *engine.Engine, ref string) api.ReviseBeliefsReply {
	t.Helper()
	r, err := e.ReviseBeliefs(t.Context(), api.ReviseBeliefsRequest{Episode: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func confidenceOf(t testing.TB, e *engine.Engine, ref string) float64 {
	t.Helper()
	r, err := e.Show(t.Context(), api.RefRequest{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return r.Confidence
}

// What the rules say, each belief with one episode.
func TestMovesByRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		belief, objective, outcome string
		lessons                    []string
		want                       string
	}{
		{"Deploying on Friday is safe", "Deploying the API on Friday", "success", nil, "reinforces"},
		{"Deploying on Friday is safe", "Deploying the API on Friday", "failure", nil, "challenges"},
		{"Deploying on Friday is not safe", "Deploying the API on Friday", "failure", nil, "reinforces"},
		{"Deploying on Friday is safe", "Deploying the API on Friday", "unknown", nil, ""},
		{"Deploying on Friday is safe", "Deploying the API on Friday", "partial", nil, ""},
		{"Deploying on Friday is safe", "Painting the fence on Friday", "failure", nil, ""},
		{"Deploying on Friday is safe", "Avoid deploying on Friday", "failure", nil, ""},
		{"The parser breaks on long lines", "Run the parser on long lines", "success", nil, "challenges"},
		{"The parser breaks on long lines", "Run the parser on long lines", "failure", nil, "reinforces"},
		{"The parser does not break on long lines", "Run the parser on long lines", "failure", nil, "challenges"},
		{"Never deploy on Friday", "Deploy the API on Friday", "failure", nil, "reinforces"},
		{"Never deploy on Friday", "Deploy the API on Friday", "success", nil, ""},
		{"Always back up the database", "Back up the database", "success", nil, "reinforces"},
		{"Always back up the database", "Back up the database", "failure", nil, ""},
		{"Retry 3 times works", "Retry 5 times against the server", "failure", nil, ""},
		{"Caching the session works but fails at night", "Caching the session", "failure", nil, ""},
		{"Back up before migrating", "Moved the tables", "failure", []string{"Back up before migrating"}, "reinforces"},
		{
			"The cache supports batch calls", "Tried the cache", "unknown",
			[]string{"The cache does not support batch calls"}, "challenges",
		},
	}
	for _, tt := range tests {
		e := open(t, "mem", engine.Config{})
		belief := add(t, e, "belief", tt.belief)
		r := reviseBeliefs(t, e, episode(t, e, tt.objective, tt.outcome, tt.lessons...))
		got := ""
		if len(r.Moves) > 0 {
			got = r.Moves[0].Effect
		}
		if got != tt.want || len(r.Moves) > 1 {
			t.Errorf("%q after %q %s %q: got %q, want %q", tt.belief, tt.objective, tt.outcome, tt.lessons, got, tt.want)
		}
		want := 0.8
		if tt.want == "reinforces" {
			want = 0.85
		}
		if c := confidenceOf(t, e, belief); c != want {
			t.Errorf("%q: confidence %v, want %v", tt.belief, c, want)
		}
	}
}

// One episode moves a belief once, and the claim names it; nothing is edited.
func TestReviseBeliefsTwice(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		belief := add(t, e, "belief", "Deploying on Friday is safe")
		good := episode(t, e, "Deploying the API on Friday", "success")
		if r := reviseBeliefs(t, e, good); len(r.Moves) != 1 ||
			r.Moves[0].ConfidenceBefore != 0.8 || r.Moves[0].Confidence != 0.85 ||
			r.Moves[0].Claim == "" || r.By != "rules" {
			t.Fatalf("got %+v", r)
		}
		if r := reviseBeliefs(t, e, good); len(r.Moves) != 0 || r.MovedBefore != 1 || confidenceOf(t, e, belief) != 0.85 {
			t.Errorf("again: %+v", r)
		}
		bad := episode(t, e, "Deploying the API on Friday", "failure")
		r := reviseBeliefs(t, e, bad)
		if len(r.Moves) != 1 || r.Moves[0].Effect != "challenges" || !strings.HasPrefix(r.Moves[0].Claim, "link:") {
			t.Fatalf("got %+v", r)
		}
		open, err := e.Conflicts(t.Context(), api.OpenRequest{})
		if err != nil || len(open.Conflicts) != 1 || open.Conflicts[0].Relation != "contradict" ||
			open.Conflicts[0].Old.Ref != belief || open.Conflicts[0].New.Ref != bad {
			t.Errorf("conflicts: %+v, %v", open, err)
		}
		if r := reviseBeliefs(t, e, bad); len(r.Moves) != 0 || r.MovedBefore != 1 {
			t.Errorf("again: %+v", r)
		}
		if _, err := e.ReviseBeliefs(
			t.Context(), api.ReviseBeliefsRequest{Episode: belief},
		); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("of a belief: %v", err)
		}
	})
}

// A belief is not borne out by what it was made of.
func TestAnEpisodeDoesNotBearOutItsOwnBelief(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{})
	ep := episode(t, e, "Deploying the API on Friday", "success")
	belief := consolidate(t, e, "Deploying on Friday is safe", ep)
	revise(t, e, belief, "Deploying on Friday is quite safe")
	if r := reviseBeliefs(t, e, ep); r.Beliefs != 0 || len(r.Moves) != 0 {
		t.Errorf("got %+v", r)
	}
}

// An agent moves no belief of its owner's, and nothing from outside moves any: both may
// only challenge. What a model says is bounded.
func TestWhoMovesBeliefs(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	theirs := add(t, p.Owner, "belief", "Deploying on Friday is safe")
	r := reviseBeliefs(t, p.Owner, episode(t, p.Agent, "Deploying the API on Friday", "success"))
	if len(r.Moves) != 1 || r.Moves[0].Claim != "" || r.Moves[0].NotWritten == "" ||
		confidenceOf(t, p.Owner, theirs) != 0.8 {
		t.Errorf("the owner's: %+v", r)
	}
	own := add(t, p.Agent, "belief", "Pumping the well at night works")
	raw := capture(t, p.As(memory.OriginTool), "pumped the well at night")
	outside, err := p.Agent.Promote(t.Context(), api.PromoteRequest{
		From: []string{raw}, Draft: api.Draft{Text: "Pumping the well at night", OutcomeType: "success"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r = reviseBeliefs(t, p.Agent, outside.Ref); len(r.Moves) != 1 || r.Moves[0].NotWritten == "" ||
		confidenceOf(t, p.Agent, own) != 0.8 {
		t.Errorf("from outside: %+v", r)
	}

	greedy := sim.Generator{
		Answers: map[string]func(sim.Generator, llm.Question) string{llm.Revise: func(sim.Generator, llm.Question) string {
			return `{"moves":[{"belief":1,"effect":"weakens","step":1,"reason":"because"}]}`
		}},
	}
	m := p.As(memory.OriginAgent, func(c *engine.Config) { c.LLM = greedy })
	r = reviseBeliefs(t, m, episode(t, p.Agent, "Pumping the well at night", "failure"))
	if len(r.Moves) != 1 || r.Moves[0].Confidence != 0.7 || r.By != greedy.Model() {
		t.Errorf("by a model: %+v", r)
	}
	if c := confidenceOf(t, p.Agent, own); c != 0.7 {
		t.Errorf("confidence %v after a step of 1, want 0.7", c)
	}
}

// The simulated model weakens and challenges; one that fails leaves it to the rules.
func TestMovesByModel(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{LLM: sim.Generator{Seed: 1}})
	add(t, e, "belief", "The Friday deploy takes an hour")
	if r := reviseBeliefs(t, e, episode(t, e, "The Friday deploy failed", "failure")); len(r.Moves) != 1 ||
		r.Moves[0].Effect != "weakens" || r.Moves[0].Confidence != 0.7 {
		t.Errorf("got %+v", r)
	}
	e = open(t, "mem", engine.Config{LLM: sim.Generator{Faults: map[sim.Fault]float64{sim.Refusal: 1}}})
	add(t, e, "belief", "Deploying on Friday is safe")
	r := reviseBeliefs(t, e, episode(t, e, "Deploying the API on Friday", "success"))
	if len(r.Moves) != 1 || r.By != "rules" || len(r.Notes) != 1 {
		t.Errorf("got %+v", r)
	}
}
