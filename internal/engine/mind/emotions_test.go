package mind_test

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func felt(t testing.TB, e *engine.Engine, text string, valence, arousal float64, labels ...string) string {
	t.Helper()
	return write(
		t, e,
		api.AddRequest{Draft: api.Draft{Kind: "episode", Text: text, Valence: &valence, Arousal: &arousal, Emotions: labels}},
	)
}

// How episodes felt is counted, and nothing is guessed of those that say nothing.
func TestEmotions(t *testing.T) {
	p := newPeople(t)
	bad := felt(t, p.Owner, "it broke", -0.6, 0.8, "anger")
	felt(t, p.Owner, "it was mended", 0.2, 0.2, "joy", "Relief", "joy")
	add(t, p.Owner, "episode", "nothing is said of it")
	reject(t, p.Owner, "", felt(t, p.Owner, "it was a dream", 1, 1, "joy"))
	p.Ahead(8 * 24 * time.Hour)
	good := felt(t, p.Owner, "it shipped", 0.9, 0.5, "JOY")

	s, err := p.Owner.EmotionSummary(t.Context(), api.EmotionSummaryRequest{})
	if err != nil || s.Episodes != 4 || s.Count != 3 || *s.MeanValence != 0.167 || *s.MeanArousal != 0.5 {
		t.Fatalf("%+v, %v, want 3 of 4 with means 0.167 and 0.5", s, err)
	}
	if len(s.Labels) != 3 || s.Labels[0] != (api.LabelCount{Label: "joy", Count: 2}) || s.Labels[1].Label != "anger" ||
		s.Labels[2].Label != "relief" {
		t.Errorf("labels %+v", s.Labels)
	}
	// the clock begins on a Friday
	if len(s.Weeks) != 2 || s.Weeks[0].Week != "2025-12-29" || s.Weeks[0].Count != 2 || *s.Weeks[0].MeanValence != -0.2 ||
		s.Weeks[1].Week != "2026-01-05" {
		t.Errorf("weeks %+v", s.Weeks)
	}
	late, err := p.Owner.EmotionSummary(t.Context(), api.EmotionSummaryRequest{Since: "24h"})
	if err != nil || late.Count != 1 || late.Episodes != 1 || *late.MeanValence != 0.9 {
		t.Errorf("since yesterday %+v, %v, want one", late, err)
	}

	for _, tt := range []struct {
		what string
		in   api.EmotionSearchRequest
		want []string
	}{
		{"bad", api.EmotionSearchRequest{MinValence: number(-1), MaxValence: number(-0.3)}, []string{bad}},
		{"stirred", api.EmotionSearchRequest{MinArousal: number(0.5)}, []string{good, bad}},
		{"stirred joy", api.EmotionSearchRequest{Label: "Joy", MinArousal: number(0.5)}, []string{good}},
		{"just so", api.EmotionSearchRequest{MinValence: number(0.9), MaxValence: number(0.9)}, []string{good}},
		{"fear", api.EmotionSearchRequest{Label: "fear"}, nil},
	} {
		r, err := p.Owner.EmotionSearch(t.Context(), tt.in)
		if err != nil || len(r.Memories) != len(tt.want) {
			t.Errorf("%s: %d found, %v, want %d", tt.what, len(r.Memories), err, len(tt.want))
			continue
		}
		for i, m := range r.Memories {
			if m.Ref != tt.want[i] {
				t.Errorf("%s: %s is number %d, want %s", tt.what, m.Headline, i, tt.want[i][:16])
			}
		}
	}
	for _, in := range []api.EmotionSearchRequest{
		{}, {Label: " "}, {MinValence: number(-2)}, {MinArousal: number(-0.1)}, {
			MinValence: number(0.5), MaxValence: number(0.1),
		}, {MaxValence: number(-1), MinValence: number(0)},
	} {
		if _, err := p.Owner.EmotionSearch(t.Context(), in); !isInvalid(err) {
			t.Errorf("%+v: %v, want it invalid", in, err)
		}
	}
	if r, err := p.Owner.EmotionSearch(
		t.Context(), api.EmotionSearchRequest{MinValence: number(-1), Limit: 1},
	); err != nil || len(r.Memories) != 1 || !r.More {
		t.Errorf("one of three: %d, more %v, %v", len(r.Memories), r.More, err)
	}
}
