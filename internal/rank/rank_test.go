package rank

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// exact is how near two numbers must be to be the same.
const exact = 1e-9

func near(got, want float64) bool { return math.Abs(got-want) <= exact }

const day = 24 * time.Hour

// Words and meaning become one relevance, of which the best is 1.
func TestFuse(t *testing.T) {
	words := func(score float64) Candidate { return Candidate{Words: score} }
	meaning := func(cosine float64) Candidate { return Candidate{Cosine: cosine, Near: true} }
	both := func(score, cosine float64) Candidate { return Candidate{Words: score, Cosine: cosine, Near: true} }
	for _, tt := range []struct {
		what string
		all  []Candidate
		want []float64
	}{
		{"nothing", nil, nil},
		{"words alone are in parts of the best", []Candidate{words(0.2), words(0.4), words(0.1)}, []float64{0.5, 1, 0.25}},
		{
			"meaning alone counts from the farthest found",
			[]Candidate{meaning(0.9), meaning(0.6), meaning(0.5)}, []float64{1, 0.25, 0},
		},
		{"meaning alone, all as near", []Candidate{meaning(0.5), meaning(0.5)}, []float64{1, 1}},
		{"meaning alone, one", []Candidate{meaning(0.3)}, []float64{1}},
		// to the words .5 of how near the nearest is, times a quarter and three quarters of how far both agree
		{
			"the best of both ways is 1",
			[]Candidate{both(2, 0.9), words(1), meaning(0.5)}, []float64{1, 0.5 / (1 + 0.5*0.9*0.75), 0},
		},
		{
			"where the nearest have no words",
			[]Candidate{words(2), meaning(0.5), meaning(0.4)}, []float64{1, 0.5 * 0.5 / 4, 0},
		},
		{
			"what stands out half counts for an eighth",
			[]Candidate{words(2), meaning(0.6), meaning(0.5), meaning(0.4)}, []float64{1, 0.5 * 0.6 / 4, 0.5 * 0.6 / 32, 0},
		},
		{"nothing near adds nothing", []Candidate{words(2), meaning(-0.1), meaning(-0.2)}, []float64{1, 0, 0}},
		{"nothing found", []Candidate{{}, {}}, []float64{0, 0}},
	} {
		all := make([]*Candidate, len(tt.all))
		for i := range tt.all {
			all[i] = &tt.all[i]
		}
		Fuse(all)
		for i, c := range all {
			if !near(c.Relevance, tt.want[i]) {
				t.Errorf("%s: candidate %d has %v, want %v", tt.what, i, c.Relevance, tt.want[i])
			}
		}
	}
}

// Whatever was found, in whatever order, a relevance is from 0 to 1, the best
// has 1, and more words are never worth less.
func TestFuseKeepsItsBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		all := make([]*Candidate, 1+rng.IntN(8))
		for i := range all {
			c := new(Candidate)
			if rng.IntN(3) > 0 {
				c.Words = rng.Float64() * 3
			}
			if rng.IntN(3) > 0 {
				c.Near, c.Cosine = true, rng.Float64()*2-1
			}
			all[i] = c
		}
		Fuse(all)
		most := 0.0
		for _, c := range all {
			if c.Relevance < 0 || c.Relevance > 1+exact {
				t.Fatalf("relevance %v of %+v", c.Relevance, c)
			}
			most = max(most, c.Relevance)
			for _, o := range all {
				if c.Words > o.Words && c.Near == o.Near && c.Cosine == o.Cosine && c.Relevance < o.Relevance {
					t.Fatalf("more words are worth less: %+v, %+v", c, o)
				}
			}
		}
		if most != 0 && !near(most, 1) {
			t.Fatalf("the best has %v", most)
		}
		before := make(map[*Candidate]float64)
		for _, c := range all {
			before[c] = c.Relevance
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		Fuse(all)
		for _, c := range all {
			if !near(c.Relevance, before[c]) {
				t.Fatalf("in another order %v, before %v", c.Relevance, before[c])
			}
		}
	}
}

// What the graph propagates is added, and the best is 1 again.
func TestPropagate(t *testing.T) {
	for _, tt := range []struct {
		what             string
		relevance, graph []float64
		want, propagated []float64
	}{
		{"nothing", nil, nil, nil, nil},
		{"nothing propagated", []float64{1, 0.5}, []float64{0, 0}, []float64{1, 0.5}, []float64{0, 0}},
		{"to the best", []float64{1, 0.5}, []float64{0.6, 0}, []float64{1, 0.5 / 1.6}, []float64{0.6 / 1.6, 0}},
		{"to one that was not found", []float64{1, 0}, []float64{0, 0.5}, []float64{1, 0.5}, []float64{0, 0.5}},
		{"past the best", []float64{1, 0.8}, []float64{0, 0.5}, []float64{1 / 1.3, 1}, []float64{0, 0.5 / 1.3}},
		{"nothing found", []float64{0, 0}, []float64{0, 0}, []float64{0, 0}, []float64{0, 0}},
	} {
		var all []*Candidate
		for i := range tt.relevance {
			all = append(all, &Candidate{Relevance: tt.relevance[i], Graph: tt.graph[i]})
		}
		Propagate(all)
		for i, c := range all {
			if !near(c.Relevance, tt.want[i]) || !near(c.Graph, tt.propagated[i]) {
				t.Errorf(
					"%s: candidate %d has %v with %v propagated, want %v with %v", tt.what, i, c.Relevance, c.Graph,
					tt.want[i], tt.propagated[i],
				)
			}
		}
	}
}

// The factors are what is printed: three decimals, and their product the score.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		relevance float64
		tier      state.Tier
		age       time.Duration
		want      Factors
	}{
		{1, state.Grounded, 0, Factors{Relevance: 1, Tier: 2, Trust: 1, Recency: 1}},
		{0.33333, state.Observed, 182 * day, Factors{Relevance: 0.333, Tier: 1.5, Trust: 1, Recency: 0.9}},
		{0.6666, state.Inferred, 364 * day, Factors{Relevance: 0.667, Tier: 1, Trust: 1, Recency: 0.85}},
		{0.0004, state.Hypothesis, -day, Factors{Relevance: 0, Tier: 0.5, Trust: 1, Recency: 1}},
		{0.5, state.NoTier, 100 * 365 * day, Factors{Relevance: 0.5, Tier: 1, Trust: 1, Recency: 0.8}},
	} {
		got := Of(tt.relevance, tt.tier, 3000, tt.age)
		if !near(got.Relevance, tt.want.Relevance) || got.Tier != tt.want.Tier || got.Trust != 1 ||
			!near(got.Recency, tt.want.Recency) {
			t.Errorf("Of(%v, %q, %v) = %+v, want %+v", tt.relevance, tt.tier, tt.age, got, tt.want)
		}
		if s := Score(got); !near(s, got.Relevance*got.Tier*got.Trust*got.Recency) {
			t.Errorf("Score of %+v = %v, want the product", got, s)
		}
	}
	f := Factors{Relevance: 0.5, Tier: 3, Trust: 0.25, Recency: 0.8}
	if got := Score(f); !near(got, 0.3) {
		t.Errorf("Score of %+v = %v, want 0.3", f, got)
	}
}

// A tier multiplies: four times from an idea to what is grounded.
func TestTierFactor(t *testing.T) {
	for tier, want := range map[state.Tier]float64{
		state.Grounded: 2, state.Observed: 1.5, state.Inferred: 1, state.Hypothesis: 0.5, state.NoTier: 1, "another": 1,
	} {
		if got := TierFactor(tier); got != want {
			t.Errorf("TierFactor(%q) = %v, want %v", tier, got, want)
		}
	}
}

// Age costs a tenth in half a year and never more than a fifth.
func TestRecency(t *testing.T) {
	for _, tt := range []struct {
		age  time.Duration
		want float64
	}{
		{0, 1}, {-100 * day, 1}, {182 * day, 0.9}, {364 * day, 0.85}, {546 * day, 0.825}, {math.MaxInt64, 0.8},
		{math.MinInt64, 1},
	} {
		if got := Recency(tt.age); math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("Recency(%v) = %v, want %v", tt.age, got, tt.want)
		}
	}
	last := 1.0
	for d := range 2000 {
		got := Recency(time.Duration(d) * day)
		if got > last || got < 0.8 {
			t.Fatalf("Recency of %d days = %v after %v", d, got, last)
		}
		last = got
	}
}

// The order is by score, then the newer, then the smaller id: it is total.
func TestCompare(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	id := func(n byte) (id memory.ID) { id[31] = n; return id }
	ordered := []Ranked{
		{Score: 2, At: at, ID: id(9)},
		{Score: 1, At: at.Add(time.Second), ID: id(8)},
		{Score: 1, At: at, ID: id(1)},
		{Score: 1, At: at, ID: id(2)},
		{Score: 0, At: at.Add(time.Hour), ID: id(0)},
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := Compare(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("Compare(%d, %d) = %d", i, j, got)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		mixed := slices.Clone(ordered)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if slices.SortFunc(mixed, Compare); !slices.Equal(mixed, ordered) {
			t.Fatalf("sorted into %v", mixed)
		}
	}
}
