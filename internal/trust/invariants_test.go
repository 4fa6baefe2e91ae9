package trust

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

const hostileInputs = 20_000 / fewer

// Whatever the facts are, a score keeps its bounds and says what it is made of.
func TestScoreOfHostileFacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	levels, limited := make(map[Level]int), 0
	for i := range hostileInputs {
		f, _ := randomFacts(rng)
		before := slices.Clone(f.Verdicts)
		r := Score(f, Seed())
		if why := wrongWith(f, r); why != "" {
			t.Fatalf("input %d: %s: %+v of %+v", i, why, r, f)
		}
		if !slices.Equal(f.Verdicts, before) {
			t.Fatalf("input %d: the facts were changed", i)
		}
		levels[r.Level]++
		if r.Limited && r.Score < r.Own {
			limited++
		}
	}
	for _, l := range []Level{Rejected, Unverified, Attested, Anchored, Consensus} {
		if levels[l] < hostileInputs/200 {
			t.Errorf("%d of level %s: the inputs prove nothing of it", levels[l], l)
		}
	}
	if limited < hostileInputs/200 {
		t.Errorf("%d were limited: the inputs prove nothing of it", limited)
	}
}

// wrongWith names a promise that r breaks, or "".
func wrongWith(f Facts, r Result) string {
	sum := 0
	for _, t := range r.Terms {
		sum += t.Points
	}
	holds := slices.ContainsFunc(f.Anchors, func(a Anchor) bool { return a.Bound && a.Status == Verified })
	disputed := r.Disputes > 0 || r.DisputeVoices > 0
	tainted := slices.Contains(r.Flags, FlagTainted)
	switch {
	case r.Score < 0 || r.Score > One || r.Own < 0 || r.Own > One || r.Own != clamp(r.Raw):
		return "out of bounds"
	case sum != r.Raw:
		return "the terms are not the sum"
	case f.Signature != Invalid && r.Raw != formula(f, r):
		return "the sum is not the rule's"
	case (r.Level == Rejected) != (f.Signature == Invalid) || r.Level == Rejected && r.Score != 0:
		return "rejected, or not"
	case r.Level.AtLeast(Anchored) && (!holds || r.Anchors < 1):
		return "anchored to nothing"
	case r.Level == Consensus && (r.ConfirmVoices < 2 || disputed):
		return "a consensus of too few"
	case r.ConfirmVoices > r.Confirms || r.DisputeVoices > r.Disputes || r.PartialVoices > r.Partials:
		return "more voices than witnesses"
	case (r.ConfirmVoices == 0) != (r.Confirms == 0) || (r.DisputeVoices == 0) != (r.Disputes == 0):
		return "a witness without a voice"
	case r.Confirms+r.Disputes+r.Partials+len(r.Refused) != len(inOrder(f.Verdicts)):
		return "a verdict is neither counted nor refused"
	case f.Limit == nil && r.Score != r.Own || r.Limited != tainted:
		return "limited by nothing"
	case r.Limited && (r.Score > clamp(f.Limit.Score) || r.Level.AtLeast(Attested) && !f.Limit.Level.AtLeast(r.Level)):
		return "above its limit"
	case r.Opinion.Belief+r.Opinion.Disbelief+r.Opinion.Uncertainty != One:
		return "the opinion is not a whole"
	}
	return ""
}

// formula is the rule of the sum once more, from what was counted.
func formula(f Facts, r Result) int {
	raw := -1500 * r.DisputeVoices
	if f.Signature == Valid {
		raw += 2000 + 2000*min(max(f.Reputation, 0), One)/One
	}
	for _, step := range []struct{ got, want, worth int }{
		{r.ConfirmVoices, 1, 2000}, {r.ConfirmVoices, 3, 1000}, {r.Anchors, 1, 2000}, {r.Anchors, 2, 1000},
	} {
		if step.got >= step.want {
			raw += step.worth
		}
	}
	return raw
}

// The same facts in another order, or said twice, give the same to the letter.
func TestOrderAndDuplicatesNeverMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range hostileInputs {
		f, edges := randomFacts(rng)
		want := Score(f, Seed())
		if got := Score(shuffled(rng, f, edges), Seed()); !reflect.DeepEqual(got, want) {
			t.Fatalf("input %d: shuffled %+v, want %+v", i, got, want)
		}
	}
}

// A verdict more moves a score only where it points, and strangers move nothing.
func TestOneMoreVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	raised, lowered := 0, 0
	for i := range hostileInputs {
		f, _ := randomFacts(rng)
		r := Score(f, Seed())
		v := randomVerdict(rng)
		v.Says = Confirm
		up := Score(f.with(v), Seed())
		if up.Score < r.Score || !up.Level.AtLeast(r.Level) {
			t.Fatalf("input %d: %d %s, with a confirm more %d %s: %+v and %+v", i, r.Score, r.Level, up.Score, up.Level, f, v)
		}
		v.Says = Dispute
		down := Score(f.with(v), Seed())
		if down.Score > r.Score || !r.Level.AtLeast(down.Level) {
			t.Fatalf(
				"input %d: %d %s, with a dispute more %d %s: %+v and %+v", i, r.Score, r.Level, down.Score,
				down.Level, f, v,
			)
		}
		if up.Score > r.Score {
			raised++
		}
		if down.Score < r.Score {
			lowered++
		}
		same := Score(f.with(strangers(rng, 50)...), Seed())
		same.Refused = r.Refused
		if !reflect.DeepEqual(same, r) {
			t.Fatalf("input %d: with 50 strangers %+v, want %+v", i, same, r)
		}
	}
	if raised < hostileInputs/200 || lowered < hostileInputs/200 {
		t.Errorf("%d were raised and %d lowered: the inputs prove nothing", raised, lowered)
	}
}

// One more introduction takes no voice from anybody.
func TestOneMoreIntroduction(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 / fewer {
		edges, without := randomEdges(rng), pick(rng, people...)
		more := append(slices.Clone(edges), Introduction{pick(rng, people...), pick(rng, people...)})
		who := people[:1+rng.IntN(len(people))]
		before := NewIntroductions("root", edges).Voices(who, without)
		if got := NewIntroductions("root", more).Voices(who, without); got < before {
			t.Fatalf("%d voices, %d before %v was added to %v", got, before, more[len(edges)], edges)
		}
	}
}
