package rank

import (
	"math"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// What waits stands behind the first half of the others.
func TestWhatWaitsStandsBehindTheHalf(t *testing.T) {
	for all, want := range map[string]string{
		"": "", "a": "a", "X": "X", "XY": "XY", "Xa": "aX", "aX": "aX", "Xab": "aXb", "aXb": "aXb", "abX": "abX",
		"XaYb": "aXYb", "XYabc": "abXYc", "aXbYcd": "abXYcd", "abcdX": "abcdX",
	} {
		got := string(Behind([]rune(all), func(r rune) bool { return r < 'a' }))
		if got != want {
			t.Errorf("%s becomes %s, want %s", all, got, want)
		}
	}
}

func TestWhatFactorsAreWorth(t *testing.T) {
	for score, want := range map[int]float64{0: 0.85, 3000: 1, 10_000: 1.35} {
		if got := TrustFactor(score); !near(got, want) {
			t.Errorf("a trust of %d is worth %v, want %v", score, got, want)
		}
	}
	for age, want := range map[time.Duration]float64{-day: 1, 0: 1, 182 * day: 0.9, 364 * day: 0.85} {
		if got := Recency(age); !near(got, want) {
			t.Errorf("an age of %v is worth %v, want %v", age, got, want)
		}
	}
	if got := Recency(1 << 62); math.Abs(got-0.8) > 1e-6 {
		t.Errorf("what is very old is worth %v", got)
	}
	f := Of(0.12345, state.Observed, 3000, 0)
	if f != (Factors{Relevance: 0.123, Tier: 1.5, Trust: 1, Recency: 1}) || Raised(f, 0.56789).Relevance != 0.568 {
		t.Errorf("factors are %+v", f)
	}
	if got := Score(Factors{Relevance: 0.5, Tier: 2, Trust: 0.9, Recency: 0.8}); !near(got, 0.72) {
		t.Errorf("the score is %v", got)
	}
	at := time.Unix(0, 0)
	order := []Ranked{
		{2, at, memory.ID{9}}, {1, at.Add(1), memory.ID{9}}, {1, at, memory.ID{1}}, {1, at, memory.ID{2}},
	}
	for i, a := range order {
		for j, b := range order {
			if got := Compare(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%d before %d: %d", i, j, got)
			}
		}
	}
}

// What is not alike is the hundredth nearest, or of fewer the farthest, but no less than what is known of the model. Of
// a model that says nothing the nearest counts as much as any model's.
func TestWhatIsNotAlike(t *testing.T) {
	few := math.Inf(-1)
	for _, tt := range []struct {
		n                       int
		unrelated, base, counts float64
	}{
		{0, few, 0, 1}, {1, few, 0, 0.2 / 0.99}, {2, few, 0.98, 0.2 / 0.01}, {99, few, 0.01, 0.2 / 0.98},
		{100, few, 0, 0.2 / 0.99}, {150, few, 0, 0.2 / 0.99}, {0, 0.3, 0.3, 1}, {99, 0.3, 0.3, 1}, {100, 0.3, 0.3, 1},
		{100, -0.3, 0, 1},
	} {
		all := []*Candidate{{Words: 1, Cosine: -5}} // found by its words alone
		for i := range tt.n {
			all = append(all, &Candidate{Near: true, Cosine: 0.99 - float64(i)/100})
		}
		base, counts := scale(all, tt.unrelated)
		if !near(base, tt.base) || math.Abs(counts-tt.counts) > 1e-6 {
			t.Errorf("of %d vectors, unrelated at %v: %v and %v, want %v and %v",
				tt.n, tt.unrelated, base, counts, tt.base, tt.counts)
		}
	}
}

func TestWhatIsNotNearAtAllCountsNoMore(t *testing.T) {
	if base, counts := scale([]*Candidate{{Near: true}}, math.Inf(-1)); base != 0 || counts != 1 {
		t.Errorf("of one vector that is not near: %v and %v", base, counts)
	}
}

// What reaches a memory along the graph adds to it, and the best is 1.
func TestTheBestAlongTheGraphIsOne(t *testing.T) {
	all := []*Candidate{{Relevance: 0.3, Graph: 0.2}, {Relevance: 0.4}, {Graph: 0.1}}
	Propagate(all)
	for i, want := range []Candidate{{Relevance: 1, Graph: 0.4}, {Relevance: 0.8}, {Relevance: 0.2, Graph: 0.2}} {
		if !near(all[i].Relevance, want.Relevance) || !near(all[i].Graph, want.Graph) {
			t.Errorf("candidate %d has %v, %v of it from the graph", i, all[i].Relevance, all[i].Graph)
		}
	}
	none := []*Candidate{{}}
	if Propagate(none); none[0].Relevance != 0 || none[0].Graph != 0 {
		t.Errorf("where nothing is relevant, it has %v", none[0].Relevance)
	}
}
