// Package rank decides the order of what a search found: how words and meaning
// become one relevance, and what multiplies it. It is pure arithmetic.
package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// A Candidate is a record that a search found, with what each way of looking
// for it gave. A way that did not find it gave 0.
type Candidate struct {
	ID     memory.ID
	Words  float64 // the score for its words; of two questions they do not compare
	Cosine float64 // the nearness of its vector, -1 to 1
	Near   bool    // it was found by its vector
	Graph  float64 // propagated along the graph, in parts of the best relevance
	From   memory.ID

	Wording float64 // of it, what words yielded that the memory was made of
	// Relevance is 1 for the best of all, and the same for its neighbours in rank
	// as their scores say: it is what the factors multiply.
	Relevance float64
}

// What nearness of vectors can add to the score for words, which is 1 for the best: so much where the model is
// sure, and where it and the words agree. The part without agreement is for questions that share no word with
// their answer.
const (
	meaningLift = 0.5
	withoutWord = 0.25 // of that, where the nearest have nothing by their words
	nearest     = 5    // so many of the nearest say whether the two agree
)

// Fuse computes the relevance of candidates. Scores for words are taken in parts of the best; meaning only adds to
// them. Of vectors, what counts is how far they stand out from the farthest that was found: all texts are a little
// alike. Beside words it counts to the third power: a model that knows little finds many that are equally near.
func Fuse(all []*Candidate) {
	best, top, low, near := 0.0, math.Inf(-1), math.Inf(1), 0
	for _, c := range all {
		best = max(best, c.Words)
		if c.Near {
			top, low, near = max(top, c.Cosine), min(low, c.Cosine), near+1
		}
	}
	lift := max(top, 0) // nothing near is not the same as something
	if best > 0 && near > 0 {
		lift *= meaningLift * (withoutWord + (1-withoutWord)*agreement(all, best))
	}
	most := 0.0
	for _, c := range all {
		c.Relevance = 0
		if best > 0 {
			c.Relevance = c.Words / best
		}
		if c.Near {
			out := 1.0
			if top > low {
				out = (c.Cosine - low) / (top - low)
			}
			if best > 0 {
				out *= out * out
			}
			c.Relevance += lift * out
		}
		most = max(most, c.Relevance)
	}
	for _, c := range all {
		if most > 0 {
			c.Relevance /= most
		}
	}
}

// agreement is how good the nearest are by their words, in parts of the best, the first counting most.
func agreement(all []*Candidate, best float64) float64 {
	var by []*Candidate
	for _, c := range all {
		if c.Near {
			by = append(by, c)
		}
	}
	slices.SortFunc(by, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(b.Words, a.Words))
	})
	sum, whole := 0.0, 0.0
	for i, c := range by[:min(nearest, len(by))] {
		part := 1 / float64(i+1)
		sum, whole = sum+part*c.Words/best, whole+part
	}
	return sum / whole
}

// Propagate raises the relevance of candidates by what reaches them along the graph, and
// makes the best 1 again.
func Propagate(all []*Candidate) {
	most := 0.0
	for _, c := range all {
		c.Relevance += c.Graph
		most = max(most, c.Relevance)
	}
	for _, c := range all {
		if most > 0 {
			c.Relevance /= most
			c.Graph /= most
		}
	}
}

// Factors are what a relevance is multiplied with.
type Factors = api.Factors

// places are how many decimals of a factor are kept, so that the product of what
// is printed is the score that is printed.
const places = 1000

func rounded(f float64) float64 { return math.Round(f*places) / places }

// Of returns the factors of a record as they are printed.
func Of(relevance float64, tier state.Tier, trust int, age time.Duration) Factors {
	return Factors{
		Relevance: rounded(relevance), Tier: TierFactor(tier), Trust: rounded(TrustFactor(trust)),
		Recency: rounded(Recency(age)),
	}
}

// Raised returns factors with another relevance.
func Raised(f Factors, relevance float64) Factors {
	f.Relevance = rounded(relevance)
	return f
}

// TrustFactor is what a trust score, in ten-thousandths, is worth. The least is
// for what no one stands behind; 1 is for a newcomer's signed word.
func TrustFactor(score int) float64 {
	const least, whole, slope = 0.85, 10_000, 0.5
	return least + slope*float64(score)/whole
}

// TierFactor is what a tier is worth. Raw words have none, and count as they
// are.
func TierFactor(t state.Tier) float64 {
	switch t {
	case state.Grounded:
		return 2
	case state.Observed:
		return 1.5
	case state.Hypothesis:
		return 0.5
	}
	return 1
}

// Recency is 1 for what is new and falls to its least in the end, half of the
// way in half a year. What was never seen to change is not wrong for being old.
func Recency(age time.Duration) float64 {
	const least, half = 0.8, 182 * 24 * time.Hour
	if age < 0 {
		age = 0
	}
	return least + (1-least)*math.Exp2(-float64(age)/float64(half))
}

// A Ranked is something with a score, and a time and an id that decide between
// equals: the newer first, then the smaller id.
type Ranked struct {
	Score float64
	At    time.Time
	ID    memory.ID
}

// Compare orders the best first.
func Compare(a, b Ranked) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), slices.Compare(a.ID[:], b.ID[:]))
}

// Score returns the product of factors.
func Score(f api.Factors) float64 { return f.Relevance * f.Tier * f.Trust * f.Recency }
