package standing_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// What a person quarantined makes no current memory again because an agent says it again; what somebody else said,
// and is quarantined, stops no one from saying it.
func TestAQuarantinedSentenceSaidAgain(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	m := remember(t, p.Agent, "Herons sleep in the reeds").Memories[0].Ref
	if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: m, Reason: "made up"}); err != nil {
		t.Fatal(err)
	}
	r := remember(t, p.Agent, "herons sleep in the reeds.")
	if len(r.Memories) > 0 || r.Rejected == nil || !r.Rejected.Quarantined || r.Rejected.Ref != m ||
		!strings.Contains(r.Hint, "was quarantined by") || !strings.Contains(r.Hint, "made up") {
		t.Errorf("an agent's repetition became %+v, %+v, %q", r.Memories, r.Rejected, r.Hint)
	}
	got := search(t, p.Agent, api.SearchRequest{Query: "where do herons sleep"})
	for _, x := range got.Results {
		if x.Type != "raw" || !strings.Contains(strings.Join(x.Marks, "; "), "is quarantined") {
			t.Errorf("a search gives %s %q, marked %q", x.Type, x.Text, x.Marks)
		}
	}
	again, err := p.Owner.Remember(ctx, api.RememberRequest{Text: "Herons sleep in the reeds", Again: true})
	if err != nil || len(again.Memories) != 1 {
		t.Errorf("a person's repetition became %+v, %v", again.Memories, err)
	}

	stranger := newForger(t, p.Now()).Says(&memory.Belief{Statement: "The harbour freezes", Type: "fact"})
	take(t, p.Owner, stranger)
	if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: stranger.Ref().String()}); err != nil {
		t.Fatal(err)
	}
	if r := remember(t, p.Agent, "The harbour freezes"); len(r.Memories) != 1 {
		t.Errorf("after a stranger's sentence was quarantined, the agent's became %+v", r.Memories)
	}
}

// Who decides on a memory is shown that a person rejected the same, or a similar one.
func TestReviewShowsWhatWasRejectedBefore(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	old := add(t, p.Agent, "belief", "The nightly backup of the harbour runs at two")
	if _, err := p.Owner.Reject(ctx, api.DecideRequest{Refs: []string{old}, Reason: "it was a guess"}); err != nil {
		t.Fatal(err)
	}
	like := add(t, p.Agent, "belief", "The nightly backup of the harbour runs at three")
	other := add(t, p.Agent, "belief", "Herons nest in May")
	r, err := p.Owner.Review(ctx, api.KindRequest{All: true})
	if err != nil || len(r.Pending) != 2 {
		t.Fatalf("%d wait, %v", len(r.Pending), err)
	}
	for _, x := range r.Pending {
		switch {
		case x.Ref == other && x.RejectedBefore != nil:
			t.Errorf("%q is said to be like %+v", x.Headline, x.RejectedBefore)
		case x.Ref == like && (x.RejectedBefore == nil || !x.RejectedBefore.Alike || x.RejectedBefore.Ref != old ||
			x.RejectedBefore.Reason != "it was a guess"):
			t.Errorf("%q is said to be like %+v", x.Headline, x.RejectedBefore)
		}
	}
}

// What an agent remembered is its own statement: a memory that it makes of the words in another run rests on nothing
// more. A person's words, and what was captured, are evidence.
func TestAnAgentsStatementIsNoEvidence(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	said := remember(t, p.Agent, "The gate of the harbour is green").Ref
	corrected, err := p.Agent.Correct(ctx, api.CorrectRequest{
		Ref:  remember(t, p.Agent, "The gate of the bridge is red").Memories[0].Ref,
		Text: "The gate of the bridge is blue",
	})
	if err != nil {
		t.Fatal(err)
	}
	words := show(t, p.Agent, corrected.Ref).DerivedFrom
	typed := remember(t, p.Owner, "The gate of the tower is white").Ref
	seen, err := p.Agent.Capture(ctx, api.CaptureRequest{Text: "the gate of the quay was painted black"})
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{said: "inferred", typed: "observed", seen.Ref: "observed"}
	for _, ref := range words {
		if strings.HasPrefix(ref, "raw:") {
			sources[ref] = "inferred"
		}
	}
	if len(sources) != 4 {
		t.Fatalf("the correction rests on %v", words)
	}
	for raw, tier := range sources {
		m, err := p.Agent.Promote(ctx, api.PromoteRequest{
			From: []string{raw}, Draft: api.Draft{Kind: "belief", Text: "A gate is green, made of " + raw[:12]},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(t, p.Agent, m.Ref).Tier; got != tier {
			t.Errorf("made of %q it is %s, want %s", show(t, p.Agent, raw).Headline, got, tier)
		}
	}
}

// What is asked as of a time of the world says of captured words what held then instead of them.
func TestWordsAtATimeAreMarked(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	r := remember(t, p.Owner, "The limit of the harbour is 100 ships")
	now := revise(t, p.Owner, r.Memories[0].Ref, "The limit of the harbour is 300 ships")
	in := api.SearchRequest{Query: "limit of the harbour", ValidAt: "2030-01-01", Kind: "raw"}
	got := search(t, p.Agent, in)
	if len(got.Results) != 1 || strings.Join(got.Results[0].Marks, "; ") != "replaced by "+short(now) {
		t.Errorf("valid in 2030 the words are %v", order(got))
	}
	in.Kind = ""
	got = search(t, p.Agent, in)
	if len(got.Results) == 0 || got.Results[0].Ref != now || len(got.Results[0].Wording) > 0 {
		t.Errorf("valid in 2030 there is %v, in the words %v", order(got), got.Results[0].Wording)
	}
	_, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: now})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range search(t, p.Agent, in).Results {
		if x.Type == "raw" && len(x.Marks) == 0 {
			t.Errorf("after the quarantine %q has no mark", x.Text)
		}
	}
}
