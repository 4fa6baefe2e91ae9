package trust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// people are those whom random facts speak of; the last two are introduced by
// no one, and "" is no one.
var people = []string{"root", "a", "b", "c", "d", "e", "f", "g", "h", "i", "eve", "mallory", ""}

const introducible = 10

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// rarely returns v one time in six, otherwise nothing.
func rarely[T any](rng *rand.Rand, v T) T {
	var zero T
	if rng.IntN(6) == 0 {
		return v
	}
	return zero
}

func randomTime(rng *rand.Rand) memory.Time {
	t := second(int64(rng.IntN(3)))
	switch rng.IntN(10) {
	case 0:
		return memory.Time{}
	case 1:
		t = memory.At(t.Time().Add(1)) // finer than a Time is
	case 2:
		t = memory.At(t.Time().Local())
	}
	return t
}

func randomVerdict(rng *rand.Rand) Verdict {
	return Verdict{
		ID: id(rng.IntN(20)), Controller: pick(rng, people...), At: randomTime(rng),
		Says: pick(
			rng, Confirm, Confirm, Confirm, Confirm, Confirm, Partial, Dispute, Dispute, "maybe", "",
			strings.Repeat("é", 99),
		),
		Refused: rarely(rng, "bad signature"), Rejected: rng.IntN(8) == 0,
	}
}

func randomAnchor(rng *rand.Rand) Anchor {
	return Anchor{
		ID: id("anchor", rng.IntN(8)), Type: pick(rng, "url", "git_commit", ""),
		Reference: pick(rng, "1", "2", "3", "4"), Class: pick(rng, "x", "y", "z", ""),
		Status: pick(rng, Verified, Verified, Verified, Changed, Gone, Unreachable, Stale, Unverifiable, "", "odd"),
		Bound:  rng.IntN(5) > 0,
	}
}

func randomEdges(rng *rand.Rand) []Introduction {
	var made []Introduction
	for range rng.IntN(30) {
		made = append(made, Introduction{pick(rng, people...), people[rng.IntN(introducible)]})
	}
	for _, who := range people[1:introducible] {
		if rng.IntN(2) == 0 {
			made = append(made, Introduction{"root", who})
		}
	}
	return made
}

// randomFacts returns facts as somebody hostile would: odd words, names, times and
// amounts, and the introductions they were made with.
func randomFacts(rng *rand.Rand) (Facts, []Introduction) {
	edges := randomEdges(rng)
	f := Facts{
		Signature:  pick(rng, Valid, Valid, Valid, Valid, Absent, Invalid, UnknownKey, Revoked, "", "odd"),
		Author:     pick(rng, people...),
		Reputation: pick(rng, 0, 5000, One, rng.IntN(One+1), -1, -1<<63, 1<<63-1),
	}
	f.Introductions = NewIntroductions(pick(rng, "root", "root", "root", "root", "a", "nobody", ""), edges)
	for range rng.IntN(13) {
		f.Verdicts = append(f.Verdicts, randomVerdict(rng))
	}
	for range rng.IntN(6) {
		f.Anchors = append(f.Anchors, randomAnchor(rng))
	}
	if rng.IntN(3) == 0 {
		f.Limit = &Limit{
			Score: pick(rng, 0, 2000, 3500, 6000, 8000, One, -5, 1<<63-1),
			Level: pick(rng, Rejected, Unverified, Attested, Anchored, Consensus, "", "odd"),
		}
		for range rng.IntN(3) {
			f.Limit.Authors = append(f.Limit.Authors, pick(rng, people...))
		}
	}
	return f, edges
}

// shuffled returns the same facts in another order, some of them again.
func shuffled(rng *rand.Rand, f Facts, edges []Introduction) Facts {
	f.Verdicts, f.Anchors, edges = again(rng, f.Verdicts), again(rng, f.Anchors), again(rng, edges)
	f.Introductions = NewIntroductions(f.Introductions.Root(), edges)
	if f.Limit != nil {
		l := *f.Limit
		l.Authors = again(rng, l.Authors)
		f.Limit = &l
	}
	return f
}

func again[T any](rng *rand.Rand, list []T) []T {
	out := slices.Clone(list)
	for _, v := range list {
		if rng.IntN(3) == 0 {
			out = append(out, v)
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// with returns f with more verdicts; f is as it was.
func (f Facts) with(more ...Verdict) Facts {
	f.Verdicts = slices.Concat(f.Verdicts, more)
	return f
}

// strangers returns n verdicts of keys that no one introduced.
func strangers(rng *rand.Rand, n int) []Verdict {
	var all []Verdict
	for i := range n {
		v := randomVerdict(rng)
		v.ID, v.Controller = id("stranger", i), fmt.Sprint("stranger", i)
		all = append(all, v)
	}
	return all
}
