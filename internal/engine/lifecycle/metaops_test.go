package lifecycle_test

import (
	"errors"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func reinforce(
	e *engine.Engine, t testing.TB, ref string, step float64, because ...string,
) (api.ReinforceReply, error) {
	t.Helper()
	return e.Reinforce(t.Context(), api.ReinforceRequest{Ref: ref, Because: because, Step: &step, Reason: "it happened"})
}

// An episode moves a confidence once in each direction, and the history says from
// what to what, by whom and why.
func TestReinforceAndItsHistory(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		belief := write(
			t, e,
			api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "caching pays off"}, Meta: api.Meta{Confidence: number(0.6)}},
		)
		for_, against := add(t, e, "episode", "it was fast"), add(t, e, "episode", "it was slow")
		r, err := e.Reinforce(t.Context(), api.ReinforceRequest{Ref: belief, Because: []string{for_}})
		if err != nil || r.ConfidenceBefore != 0.6 || r.Confidence != 0.65 {
			t.Errorf("reinforced: %+v, %v, want 0.6 → 0.65", r, err)
		}
		if _, err := reinforce(e, t, belief, 0.1, against, for_); !errors.Is(err, api.ErrConflict) {
			t.Errorf("told twice: %v, want a conflict", err)
		}
		if r, err := reinforce(e, t, belief, -0.15, against); err != nil || r.Confidence != 0.5 {
			t.Errorf("weakened: %+v, %v, want 0.5", r, err)
		}
		if _, err := e.Verify(t.Context(), api.VerifyRequest{Ref: belief}); err != nil {
			t.Fatal(err)
		}
		h, err := e.ConfidenceHistory(t.Context(), api.RefRequest{Ref: belief})
		if err != nil || len(h.ConfidenceHistory) != 4 || h.Confidence != 0.625 || h.ConfidenceAsserted != 0.6 {
			t.Fatalf("history %+v, %v, want four steps to 0.625", h, err)
		}
		for i, want := range []struct {
			kind          string
			before, after float64
		}{{"created", 0, 0.6}, {"assess", 0.6, 0.65}, {"assess", 0.65, 0.5}, {"verify", 0.5, 0.625}} {
			s := h.ConfidenceHistory[i]
			if s.Kind != want.kind || s.After != want.after || i > 0 && (*s.Before != want.before || s.Claim == "") ||
				s.By == "" || s.At == "" || s.Why == "" {
				t.Errorf("step %d is %+v, want %+v", i, s, want)
			}
		}
		if s := h.ConfidenceHistory[2]; s.Why != "it happened" || len(s.Because) != 1 || s.Because[0] != against {
			t.Errorf("weakened because of %v (%q), want %s", s.Because, s.Why, against)
		}
		if m := show(t, e, belief); m.VerificationCount != 1 || m.LastVerified == "" {
			t.Errorf("shown as verified %d times, last on %q", m.VerificationCount, m.LastVerified)
		}
	})
}

// What moves nothing, or by nothing that happened, is refused with words.
func TestReinforceRefuses(t *testing.T) {
	p := newPeople(t)
	belief, note, episode := add(t, p.Agent, "belief", "one"), add(t, p.Agent, "note", "two"), add(
		t, p.Agent, "episode", "three",
	)
	gone, owners := add(t, p.Agent, "episode", "four"), add(t, p.Owner, "belief", "five")
	sure := write(
		t, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "six"}, Meta: api.Meta{Confidence: number(1)}},
	)
	old := add(t, p.Agent, "belief", "seven")
	revise(t, p.Agent, old, "eight")
	reject(t, p.Owner, "", gone)
	for _, tt := range []struct {
		what, ref string
		step      float64
		because   []string
		want      error
	}{
		{"nothing happened", belief, 0.1, nil, api.ErrInvalid},
		{"a note", belief, 0.1, []string{note}, api.ErrInvalid},
		{"no step", belief, 0, []string{episode}, api.ErrInvalid},
		{"too far", belief, 1.5, []string{episode}, api.ErrInvalid},
		{"itself", episode, 0.1, []string{episode}, api.ErrInvalid},
		{"what was rejected", belief, 0.1, []string{gone}, api.ErrConflict},
		{"what is certain", sure, 0.1, []string{episode}, api.ErrConflict},
		{"what was superseded", old, 0.1, []string{episode}, api.ErrConflict},
		{"the owner's", owners, 0.1, []string{episode}, api.ErrForbidden},
		{"nothing", "belief:00000000", 0.1, []string{episode}, api.ErrNotFound},
	} {
		if r, err := reinforce(p.Agent, t, tt.ref, tt.step, tt.because...); !errors.Is(err, tt.want) {
			t.Errorf("%s: %+v, %v, want %v", tt.what, r, err, tt.want)
		}
	}
	if _, err := reinforce(p.Owner, t, belief, 0.1, episode); err != nil {
		t.Errorf("the owner of what his agent wrote: %v", err)
	}
	stranger := newPeople(t)
	stranger.Path = p.Path
	if _, err := reinforce(stranger.As(memory.OriginOwner), t, belief, 0.1, episode); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("a stranger: %v, want it forbidden", err)
	}
}

// Weak memories come the weakest first, the hidden ones not at all.
func TestUncertainFollowsWhatWasReinforced(t *testing.T) {
	p := newPeople(t)
	weak := func(text string, c float64) string {
		return write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}, Meta: api.Meta{Confidence: &c}})
	}
	a, b, _, gone := weak("a", 0.4), weak("b", 0.45), weak("c", 0.5), weak("d", 0.1)
	reject(t, p.Owner, "", gone)
	if _, err := reinforce(p.Owner, t, b, -0.2, add(t, p.Owner, "episode", "it broke")); err != nil {
		t.Fatal(err)
	}
	r, err := p.Owner.Uncertain(t.Context(), api.UncertainRequest{})
	if err != nil || len(r.Memories) != 2 || r.Memories[0].Ref != b || r.Memories[1].Ref != a {
		t.Errorf("uncertain: %+v, %v, want b and a", r.Memories, err)
	}
	if r, err := p.Owner.Uncertain(t.Context(), api.UncertainRequest{Limit: 1}); err != nil || len(r.Memories) != 1 ||
		!r.More {
		t.Errorf("one of two: %d, more %v, %v", len(r.Memories), r.More, err)
	}
}
