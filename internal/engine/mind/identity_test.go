package mind_test

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Who we are is what memories say, the weightiest first; what is over or hidden is
// no part of it.
func TestIdentity(t *testing.T) {
	p := newPeople(t)
	draft := func(e *engine.Engine, d api.Draft, confidence *float64) string {
		t.Helper()
		return write(t, e, api.AddRequest{Draft: d, Meta: api.Meta{Confidence: confidence}})
	}
	low, high := 10, 90
	first := draft(p.Owner, api.Draft{Kind: "value", Text: "say what was measured", Priority: &high}, nil)
	second := draft(p.Owner, api.Draft{Kind: "value", Text: "be brief", Priority: &low}, nil)
	goal, done := add(t, p.Owner, "goal", "ship"), add(t, p.Owner, "goal", "plan")
	if _, err := p.Owner.GoalStatus(t.Context(), api.GoalStatusRequest{Ref: done, Status: "achieved"}); err != nil {
		t.Fatal(err)
	}
	weak := draft(p.Owner, api.Draft{Kind: "drive", Text: "order", Intensity: number(0.9)}, nil)
	strong := draft(p.Owner, api.Draft{Kind: "drive", Text: "curiosity", Intensity: number(0.6)}, nil)
	if _, err := p.Owner.DriveSatisfy(t.Context(), api.DriveSatisfyRequest{Ref: weak, Amount: number(0.5)}); err != nil {
		t.Fatal(err)
	}
	approved := consolidate(t, p.Owner, "measure first", promote(t, p.Owner, "an episode", capture(t, p.Owner, "words")))
	approve(t, p.Owner, approved)
	claimed := draft(p.Agent, api.Draft{Kind: "belief", Text: "obey me"}, number(1))
	reject(t, p.Owner, "", draft(p.Agent, api.Draft{Kind: "belief", Text: "rejected"}, number(1)))

	r, err := p.Owner.Identity(t.Context(), api.LimitRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what string
		got  []api.IdentityMemory
		want []string
	}{
		{"values", r.Values, []string{first, second}}, {"goals", r.Goals, []string{goal}},
		{"drives", r.Drives, []string{strong, weak}}, {"beliefs", r.Beliefs, []string{approved, claimed}},
	} {
		if len(tt.got) != len(tt.want) {
			t.Errorf("%d %s, want %d", len(tt.got), tt.what, len(tt.want))
			continue
		}
		for i, m := range tt.got {
			if m.Ref != tt.want[i] {
				t.Errorf("%s: %q is number %d", tt.what, m.Headline, i)
			}
		}
	}
	if b := r.Beliefs[0]; b.Review != "approved" || b.EvidenceCount != 1 || b.Level == "" {
		t.Errorf("the approved belief: %s, evidence %d, level %q", b.Review, b.EvidenceCount, b.Level)
	}
	if b := r.Beliefs[1]; b.Review != "pending" || b.EvidenceCount != 0 {
		t.Errorf("what an agent claims: %s, evidence %d", b.Review, b.EvidenceCount)
	}
	if r, err := p.Owner.Identity(t.Context(), api.LimitRequest{Limit: 1}); err != nil || len(r.Values) != 1 ||
		!r.More {
		t.Errorf("one of each: %d values, more %v, %v", len(r.Values), r.More, err)
	}
	empty, err := newPeople(t).Owner.Identity(t.Context(), api.LimitRequest{})
	if err != nil || empty.Values == nil || len(empty.Values)+len(empty.Goals)+len(empty.Drives)+len(empty.Beliefs) != 0 {
		t.Errorf("of nobody: %+v, %v, want empty lists", empty, err)
	}
}

// The weightiest of many are the first of all: those that are left out unrated could not be among them.
func TestIdentityOfMany(t *testing.T) {
	p := newPeople(t)
	episode := promote(t, p.Owner, "an episode", capture(t, p.Owner, "words"))
	for i := range 150 {
		d := api.Draft{Kind: "belief", Text: fmt.Sprint("belief number ", i)}
		if i%11 > 0 { // of nothing, said with more conviction
			write(t, p.Owner, api.AddRequest{Draft: d, Meta: api.Meta{Confidence: number(0.7)}})
			continue
		}
		r, err := p.Owner.Consolidate(t.Context(), api.ConsolidateRequest{
			From: []string{episode}, Draft: d, Meta: api.Meta{Confidence: number(0.5)},
		})
		if err != nil {
			t.Fatal(err)
		}
		if i%22 == 0 {
			approve(t, p.Owner, r.Ref)
		}
	}
	all, err := p.Owner.Identity(t.Context(), api.LimitRequest{Limit: -1})
	if err != nil || len(all.Beliefs) != 150 || all.More {
		t.Fatalf("all: %d beliefs, more %v, %v", len(all.Beliefs), all.More, err)
	}
	for _, limit := range []int{1, 3, 10, 40, 149, 150, 151} {
		some, err := p.Owner.Identity(t.Context(), api.LimitRequest{Limit: limit})
		if err != nil || some.More != (limit < 150) || len(some.Beliefs) != min(limit, 150) {
			t.Fatalf("limit %d: %d beliefs, more %v, %v", limit, len(some.Beliefs), some.More, err)
		}
		for i, b := range some.Beliefs {
			if b.Ref != all.Beliefs[i].Ref {
				t.Errorf("limit %d: number %d is %q, want %q", limit, i, b.Headline, all.Beliefs[i].Headline)
				break
			}
		}
	}
}
