package salience

import (
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"
)

// The formula is the natural logarithm's, and creation is the first access.
func TestOf(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	for _, tt := range []struct {
		what          string
		confidence    float64
		created, last time.Time
		reads         int
		want          float64
		says          string
	}{
		{"just written", 1, now, time.Time{}, 0, math.Log(2), "1.00 × ln(1+1) / (0.0/30 + 1) = 0.693"},
		{"never read", 0.8, ago(90), time.Time{}, 0, 0.8 * math.Log(2) / 4, "0.80 × ln(1+1) / (90.0/30 + 1) = 0.139"},
		{
			"read often, at last a month ago", 0.8, ago(90), ago(30), 6, 0.8 * math.Log(8) / 2,
			"0.80 × ln(7+1) / (30.0/30 + 1) = 0.832",
		},
		{
			"read before it came here", 0.8, ago(10), ago(30), 1, 0.8 * math.Log(3) / (1 + 1.0/3),
			"0.80 × ln(2+1) / (10.0/30 + 1) = 0.659",
		},
		{"of tomorrow", 1, ago(-1), time.Time{}, 0, math.Log(2), "1.00 × ln(1+1) / (0.0/30 + 1) = 0.693"},
		{"sure of nothing", 0, ago(1), time.Time{}, 3, 0, "0.00 × ln(4+1) / (1.0/30 + 1) = 0.000"},
	} {
		got := Of(tt.confidence, tt.created, tt.reads, tt.last, now, HalfLife)
		if math.Abs(got.Salience-tt.want) > 1e-9 || got.String() != tt.says {
			t.Errorf("%s: %v, want %.6f, %q", tt.what, got, tt.want, tt.says)
		}
	}
}

// A cycle that is told nothing forgets what the documentation says it does.
func TestDefaults(t *testing.T) {
	const day = 24 * time.Hour
	if Threshold != 0.3 || MinAge != 90*day || HalfLife != 30*day {
		t.Errorf("below %v, unused for %v, half of it after %v", Threshold, MinAge, HalfLife)
	}
}

func TestKeeps(t *testing.T) {
	for _, tt := range []struct {
		f       Facts
		include bool
		want    Reason
	}{
		{Facts{}, false, None},
		{Facts{Identity: true}, true, Identity},
		{Facts{Protected: true}, true, Protected},
		{Facts{Constraint: true}, true, Constraint},
		{Facts{Approved: true}, false, Approved},
		{Facts{Approved: true}, true, None},
		{Facts{Foreign: true}, true, Foreign},
		{Facts{Persons: true, Approved: true}, true, Persons},
		{Facts{Decided: true}, true, Decided},
		{Facts{Approved: true, Protected: true}, false, Protected},
	} {
		if got := tt.f.Keeps(tt.include); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.f, got, tt.want)
		}
	}
}

// What goes on to rest on nothing frees what it rested on; of two that carry one,
// the less salient goes.
func TestCycle(t *testing.T) {
	const raw, episode, belief, other = 0, 1, 2, 3
	chain := func() *Rest {
		r := NewRest(4)
		r.Add(episode, raw)
		r.Add(belief, episode)
		return r
	}
	weight := func(i int) float64 { return []float64{.1, .2, .25, .05}[i] }
	for _, tt := range []struct {
		what       string
		candidates []int
		limit      int
		want       []int
	}{
		{"all of a chain", []int{raw, episode, belief, other}, 0, []int{other, belief, episode, raw}},
		{"not what carries", []int{raw, episode}, 0, nil},
		{"one", []int{raw, episode, belief}, 1, []int{belief}},
		{"not past one that stays", []int{raw, belief}, 0, []int{belief}},
	} {
		if got := chain().Cycle(tt.candidates, weight, tt.limit); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
	}
	self := NewRest(1)
	if self.Add(0, 0); self.Needed(0) {
		t.Error("what rests on itself is needed")
	}
	r := NewRest(3)
	r.Add(2, 0)
	r.Add(2, 1)
	if got := r.Cycle([]int{1, 0}, func(int) float64 { return 0 }, 0); !slices.Equal(got, []int{1}) {
		t.Errorf("of two that carry one: %v, want the first, and the other kept", got)
	}
}

// After a cycle nothing that is left rests only on what went, and no candidate is
// left that could go.
func TestCycleIsAFixpoint(t *testing.T) {
	chance := rand.New(rand.NewSource(1))
	for range 300 {
		n := 1 + chance.Intn(40)
		r, rests := NewRest(n), make([]int, n)
		for i := 1; i < n; i++ {
			for _, older := range chance.Perm(i)[:min(i, chance.Intn(4))] {
				r.Add(i, older)
				rests[i]++
			}
		}
		candidates := chance.Perm(n)[:chance.Intn(n+1)]
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = float64(chance.Intn(5))
		}
		gone := r.Cycle(candidates, func(i int) float64 { return weights[i] }, 0)
		for i := range n {
			if r.gone[i] != slices.Contains(gone, i) {
				t.Fatalf("%d is gone: %v, but the cycle gave %v", i, r.gone[i], gone)
			}
			left := 0
			for _, s := range r.on[i] {
				if !r.gone[s] {
					left++
				}
			}
			if !r.gone[i] && rests[i] > 0 && left == 0 {
				t.Fatalf("%d is left with nothing of the %d it rested on", i, rests[i])
			}
			if !r.gone[i] && slices.Contains(candidates, i) && !r.Needed(i) {
				t.Fatalf("%d is a candidate that nothing needs, and is left", i)
			}
		}
	}
}
