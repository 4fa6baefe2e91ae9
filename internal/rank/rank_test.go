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
	joined := func(words, nearer float64) float64 { return math.Pow(math.Pow(words, 1.3)+nearer, 1/1.3) }
	unknown := math.Inf(-1)
	for _, tt := range []struct {
		what      string
		unrelated float64
		all       []Candidate
		want      []float64
	}{
		{"nothing", unknown, nil, nil},
		{
			"words alone are in parts of the best", 0.1,
			[]Candidate{words(0.2), words(0.4), words(0.1)}, []float64{0.5, 1, 0.25},
		},
		{
			"meaning counts from what is not alike", 0.1,
			[]Candidate{meaning(0.9), meaning(0.5), meaning(0.1), meaning(0)},
			[]float64{1, joined(0, 0.4) / joined(0, 0.8), 0, 0},
		},
		{
			"or from the farthest, where that is not known", unknown,
			[]Candidate{meaning(0.9), meaning(0.7), meaning(0.5)}, []float64{1, joined(0, 0.1) / joined(0, 0.2), 0},
		},
		{"one alone, where nothing is known", unknown, []Candidate{meaning(0.3)}, []float64{1}},
		{
			"words that hold much are worth more than the nearest", 0.1,
			[]Candidate{words(1), meaning(0.6)}, []float64{1, joined(0, 0.5)},
		},
		{
			"words that hold little are worth less", 0.1,
			[]Candidate{words(0.2), meaning(0.6)}, []float64{0.2 / joined(0, 0.5), 1},
		},
		{"both count", 0.1, []Candidate{both(0.5, 0.4), words(0.5)}, []float64{1, 0.5 / joined(0.5, 0.3)}},
		{"nothing near adds nothing", 0.1, []Candidate{words(2), meaning(0.1), meaning(-0.2)}, []float64{1, 0, 0}},
		{"nothing found", 0.1, []Candidate{{}, {}}, []float64{0, 0}},
	} {
		all := make([]*Candidate, len(tt.all))
		for i := range tt.all {
			all[i] = &tt.all[i]
		}
		Fuse(all, tt.unrelated, 0)
		for i, c := range all {
			if !near(c.Relevance, tt.want[i]) {
				t.Errorf("%s: candidate %d has %v, want %v", tt.what, i, c.Relevance, tt.want[i])
			}
			if m := c.Meaning; !(m >= 0 && m <= 1) {
				t.Errorf("%s: of candidate %d, %v comes from meaning", tt.what, i, m)
			}
		}
	}
}

// Of a hundred vectors and more, what is not alike is the hundredth nearest, however many follow.
func TestFuseFromTheHundredth(t *testing.T) {
	var all []*Candidate
	for i := range 130 {
		all = append(all, &Candidate{Cosine: 0.9 - float64(i)/200, Near: true})
	}
	Fuse(all, 0.1, 0)
	if all[98].Relevance <= 0 || all[99].Relevance != 0 || all[129].Relevance != 0 || all[0].Meaning != 1 {
		t.Errorf("the 99th has %v, the 100th %v, the last %v", all[98].Relevance, all[99].Relevance, all[129].Relevance)
	}
}

// A text that is there a hundred times is no measure of what is not alike.
func TestFuseFromTheHundredthText(t *testing.T) {
	all := []*Candidate{{Cosine: 0.4, Near: true}}
	for range 130 {
		all = append(all, &Candidate{Cosine: 0.6, Near: true})
	}
	Fuse(all, 0.1, 0)
	if all[0].Relevance < 0.5 || all[1].Relevance != 1 || all[130].Relevance != 1 {
		t.Errorf("beside 130 copies with %v it has %v", all[1].Relevance, all[0].Relevance)
	}
}

// What part of a relevance comes from meaning says whether it was words that found it.
func TestFuseSaysWhatMeaningAdds(t *testing.T) {
	all := []*Candidate{
		{Words: 1}, {Cosine: 0.5, Near: true}, {Words: 0.1, Cosine: 0.5, Near: true}, {Words: 1, Cosine: 0.3, Near: true},
	}
	Fuse(all, 0.1, 0)
	if all[0].Meaning != 0 || all[1].Meaning != 1 || all[2].Meaning < 0.8 || all[3].Meaning > 0.2 {
		t.Errorf("meaning adds %v, %v, %v, %v", all[0].Meaning, all[1].Meaning, all[2].Meaning, all[3].Meaning)
	}
}

// What is to stand behind comes after the first half of the rest, and all else keeps its order.
func TestBehind(t *testing.T) {
	for _, tt := range []struct{ all, want string }{
		{"", ""}, {"a", "a"}, {"X", "X"}, {"XY", "XY"}, {"Xa", "aX"}, {"aX", "aX"}, {"Xab", "aXb"}, {"XaYbZcd", "abXYZcd"},
		{"abcX", "abcX"}, {"aXbc", "abXc"},
	} {
		got := string(Behind([]byte(tt.all), func(b byte) bool { return b < 'a' }))
		if got != tt.want {
			t.Errorf("Behind(%q) = %q, want %q", tt.all, got, tt.want)
		}
	}
}

// Whatever was found, in whatever order, a relevance is from 0 to 1, the best
// has 1, and more words are never worth less.
func TestFuseKeepsItsBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		unrelated, known := []float64{math.Inf(-1), rng.Float64()*0.5 - 0.1}[rng.IntN(2)], rng.Float64()
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
		Fuse(all, unrelated, known)
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
		Fuse(all, unrelated, known)
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

// The more of the question the best by words hold, the less meaning counts.
func TestFuseLeavesToWordsWhatTheyKnow(t *testing.T) {
	last := 1.0
	for _, known := range []float64{0, 0.3, 0.32, 0.4, 0.5, 0.67, 0.7, 1} {
		all := []*Candidate{{Words: 1}, {Cosine: 0.6, Near: true}}
		Fuse(all, 0.1, known)
		if all[1].Relevance > last || known > 0.3 && known <= 0.7 && all[1].Relevance == last {
			t.Errorf("with %v known, meaning is worth %v, before %v", known, all[1].Relevance, last)
		}
		last = all[1].Relevance
	}
	half := []*Candidate{{Words: 1}, {Cosine: 0.6, Near: true}}
	if Fuse(half, 0.1, 0.5); !near(half[1].Relevance, math.Pow(0.6*0.5, 1/1.3)) {
		t.Errorf("half way, meaning is worth %v", half[1].Relevance)
	}
	if want := math.Pow(0.2*0.5, 1/1.3); !near(last, want) {
		t.Errorf("with all known, meaning is worth %v, want %v", last, want)
	}
}

// What words alone would give first stays among the first three, however near by meaning others are, if its words stand
// out; otherwise its own nearness decides.
func TestMeaningTakesTheBestByWordsNotAway(t *testing.T) {
	for _, tt := range []struct {
		next  float64 // by words
		place int
	}{{0.10, 3}, {0.16, 9}} {
		all := []*Candidate{{ID: memory.ID{1}, Words: 0.17}, {ID: memory.ID{2}, Words: tt.next}}
		for i := range 8 {
			all = append(all, &Candidate{ID: memory.ID{byte(10 + i)}, Near: true, Cosine: 0.5 - 0.01*float64(i)})
		}
		Fuse(all, 0.1, 0.1)
		place := 1
		for _, c := range all {
			if c.Relevance > all[0].Relevance {
				place++
			}
		}
		if place != tt.place {
			t.Errorf("the next by words %.2f: at place %d, want %d", tt.next, place, tt.place)
		}
	}
}
