package trust

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// seedScore is the score as it was first laid down, in floating point: what
// no one hostile has touched must come out the same.
func seedScore(rep float64, confirms, anchors, disputes int) float64 {
	score := 0.2
	steps := []struct {
		got, want int
		worth     float64
	}{{confirms, 1, 0.2}, {confirms, 3, 0.1}, {anchors, 1, 0.2}, {anchors, 2, 0.1}}
	for _, s := range steps {
		if s.got >= s.want {
			score += s.worth
		}
	}
	score += rep * 0.2
	score -= float64(disputes) * 0.15
	return math.Max(0, math.Min(1, score))
}

// Of clean facts the score is the seed's to a ten-thousandth, and exactly so
// where a reputation has no finer part than the score.
func TestSeedOfCleanFacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 10_000 / fewer {
		confirms, partials, disputes, anchors := rng.IntN(7), rng.IntN(3), rng.IntN(6), rng.IntN(4)
		f := Facts{Signature: Valid, Author: "author", Reputation: rng.IntN(One + 1)}
		names := []string{"author"}
		for i := range confirms + partials + disputes {
			says := Confirm
			if i >= confirms {
				says = Partial
			}
			if i >= confirms+partials {
				says = Dispute
			}
			names = append(names, fmt.Sprint("witness", i))
			f.Verdicts = append(f.Verdicts, Verdict{ID: id(i), Controller: names[i+1], Says: says, At: second(int64(i))})
		}
		for i := range anchors {
			f.Anchors = append(f.Anchors, Anchor{ID: id("anchor", i), Type: "url",
				Reference: fmt.Sprint("https://", i, ".example/"), Class: fmt.Sprint(i, ".example"), Status: Verified, Bound: true})
		}
		f.Introductions = known(names...)
		got := Score(f, Seed()).Score
		want := seedScore(float64(f.Reputation)/One, confirms, anchors, disputes) * One
		slack := 1.0
		if f.Reputation%5 == 0 {
			slack = 1e-6
		}
		if d := math.Abs(float64(got) - want); d >= slack {
			t.Fatalf(
				"reputation %d, %d confirms, %d anchors, %d disputes: %d, want %v", f.Reputation, confirms,
				anchors, disputes, got, want,
			)
		}
	}
}
