package care_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// One page says what is there and what waits.
func TestStatus(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "strict" })
	empty, err := p.Owner.Status(t.Context(), api.Nothing{})
	if err != nil || empty.LastCapture != "" || empty.PendingReviews.Count != 0 {
		t.Errorf("of an empty store: %+v, %v", empty, err)
	}
	raw := capture(t, p.Agent, "words")
	capture(t, p.Agent, "more words")
	promote(t, p.Agent, "an episode", raw)
	write(
		t, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "weak"}, Meta: api.Meta{Confidence: number(0.3)}},
	)
	owners := add(t, p.Owner, "belief", "the harbour is red")
	if r, err := p.Agent.Revise(
		t.Context(), api.ReviseRequest{Ref: owners, Draft: api.Draft{Text: "the harbour is blue"}},
	); err != nil || r.Link == "" {
		t.Fatalf("%+v, %v, want a proposed update", r, err)
	}
	s, err := p.Owner.Status(t.Context(), api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	if s.UnprocessedRaws != 1 || s.PendingReviews.Count != 3 || s.Uncertain.Count != 1 || s.OpenConflicts.Count != 1 ||
		s.LastCapture == "" || s.Records == 0 {
		t.Errorf("%+v, want 1 unprocessed, 3 pending, 1 weak, 1 conflict", s)
	}
	reject(t, p.Owner, "", pending(t, p.Owner, api.KindRequest{})[2])
	if s, err := p.Owner.Status(t.Context(), api.Nothing{}); err != nil || s.OpenConflicts.Count != 0 ||
		s.PendingReviews.Count != 2 {
		t.Errorf("once one was rejected: %+v, %v", s, err)
	}
	if s, err := p.As(
		memory.OriginOwner, func(c *engine.Config) { c.Space = "elsewhere" },
	).Status(t.Context(), api.Nothing{}); err != nil || s.PendingReviews.Count != 0 {
		t.Errorf("in another space: %+v, %v, want nothing pending", s, err)
	}
}
