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
	// Passage is which of its passages is so near, from 0 on.
	Passage int
	// Meaning is what part of the relevance comes from the nearness of its vector, 0 to 1.
	Meaning float64
	Graph   float64 // propagated along the graph, in parts of the best relevance
	From    memory.ID

	Wording float64 // of it, what words yielded that the memory was made of
	// Relevance is 1 for the best of all, and the same for its neighbours in rank
	// as their scores say: it is what the factors multiply.
	Relevance float64
	// ByWords is the relevance that words alone would give it.
	ByWords float64
}

// How words and meaning become one score. The score for words is in parts of all that the question asks for, so a good
// match by words is worth more than the nearest vector, and the nearest vector more than words that many share.
const (
	power    = 1.3
	farthest = 100 // this vector, counted from the nearest, stands for those that are not alike

	// Meaning counts in full where the best by words hold so little of the question, and least where they hold so much.
	littleKnown, muchKnown = 0.3, 0.7
	leastMeaning           = 0.2

	bestWithin = 3    // the best by words is among so many of the first
	standsOut  = 1.25 // where its words are worth so much more than those of the next

	ofAnyModel = 0.2 // what the nearest is nearer of a model whose cosines are not known
)

// Fuse computes the relevance of candidates, in parts of the best. Without vectors it is the score for words. A vector
// adds to it by how much nearer it is than those that are not alike: unrelated is how near the model finds two texts
// that have nothing to do with each other, -Inf where that is not known. It adds less where words know the question:
// known is the share of it that the best by words hold. It returns the relevance that
// words alone would give in place of 1.
func Fuse(all []*Candidate, unrelated, known float64) (byWords float64) {
	base, counts := scale(all, unrelated)
	counts *= 1 - (1-leastMeaning)*min(1, max(0, (known-littleKnown)/(muchKnown-littleKnown)))
	most, mostWords := 0.0, 0.0
	for _, c := range all {
		mostWords = max(mostWords, c.Words)
	}
	for _, c := range all {
		c.Relevance, c.Meaning = c.Words, 0
		if mostWords > 0 {
			c.ByWords = c.Words / mostWords
		}
		if nearer := counts * (c.Cosine - base); c.Near && nearer > 0 {
			words := math.Pow(c.Words, power)
			c.Relevance, c.Meaning = math.Pow(words+nearer, 1/power), nearer/(words+nearer)
		}
		most = max(most, c.Relevance)
	}
	keepBest(all)
	for _, c := range all {
		if most > 0 {
			c.Relevance /= most
		}
	}
	if mostWords == 0 {
		return 1
	}
	return most / mostWords
}

// keepBest lets what words alone would give first be among the first that meaning gives, where it stands out: meaning
// adds to an answer, and takes nothing out of it.
func keepBest(all []*Candidate) {
	var best, next *Candidate
	for _, c := range all {
		switch {
		case best == nil || c.Words > best.Words:
			best, next = c, best
		case next == nil || c.Words > next.Words:
			next = c
		}
	}
	if len(all) < bestWithin || best.Words == 0 || best.Words < standsOut*next.Words {
		return
	}
	relevance := make([]float64, len(all))
	for i, c := range all {
		relevance[i] = c.Relevance
	}
	slices.SortFunc(relevance, func(a, b float64) int { return cmp.Compare(b, a) })
	best.Relevance = max(best.Relevance, relevance[bestWithin-1])
}

// scale returns how near the vectors are that are not alike, and how much counts what is nearer. They are the farthest
// of the hundred nearest, but not below what two texts have that have nothing to do with each other. Of a model that
// does not say that, it is not known what its cosines are worth: its nearest counts as much as any model's.
func scale(all []*Candidate, unrelated float64) (base, counts float64) {
	var near []float64
	for _, c := range all {
		if c.Near {
			near = append(near, c.Cosine)
		}
	}
	slices.SortFunc(near, func(a, b float64) int { return cmp.Compare(b, a) })
	near = slices.Compact(near) // a text that is there many times is as near each time
	if len(near) > 1 {
		base = near[min(len(near), farthest)-1]
	}
	if math.IsInf(unrelated, 0) {
		if len(near) == 0 || near[0] <= base {
			return base, 1
		}
		return base, ofAnyModel / (near[0] - base)
	}
	if len(near) < farthest {
		base = unrelated
	}
	return max(base, unrelated), 1
}

// Behind puts those that last names after the first half of the others, and keeps the order otherwise.
func Behind[T any](all []T, last func(T) bool) []T {
	others := 0
	for _, one := range all {
		if !last(one) {
			others++
		}
	}
	out, wait := make([]T, 0, len(all)), []T(nil)
	left := (others + 1) / 2
	for _, one := range all {
		if last(one) && left > 0 {
			wait = append(wait, one)
			continue
		}
		if out = append(out, one); !last(one) {
			if left--; left == 0 {
				out = append(out, wait...)
			}
		}
	}
	return out
}

// Propagate raises the relevance of candidates by what reaches them along the graph, and
// makes the best 1 again. It returns what that was.
func Propagate(all []*Candidate) (most float64) {
	for _, c := range all {
		c.Relevance += c.Graph
		most = max(most, c.Relevance)
	}
	keepBest(all)
	for _, c := range all {
		if most > 0 {
			c.Relevance /= most
			c.Graph /= most
		}
	}
	return most
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
	return least + (1-least)*math.Exp2(-float64(max(age, 0))/float64(half))
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
