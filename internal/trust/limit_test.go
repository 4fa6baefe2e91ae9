package trust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// introductionsOfFour is a network in which root knows four people; each of them has
// introduced five puppets.
func introductionsOfFour() *Introductions {
	var made []Introduction
	for _, who := range []string{"agent", "mallory", "carol", "bob"} {
		made = append(made, Introduction{"root", who})
		if who == "agent" || who == "mallory" {
			made = append(made, Introduction{who, "a common puppet"})
		}
		for i := range 5 {
			made = append(made, Introduction{who, fmt.Sprint(who, "'s puppet ", i)})
		}
	}
	return NewIntroductions("root", made)
}

func confirm(who ...string) []Verdict {
	var all []Verdict
	for i, w := range who {
		all = append(all, Verdict{ID: id(w, i), Controller: w, Says: Confirm, At: second(int64(i))})
	}
	return all
}

func anchors(n int) []Anchor {
	var all []Anchor
	for i := range n {
		all = append(
			all,
			Anchor{ID: id(i), Type: "url", Reference: fmt.Sprint(i), Class: fmt.Sprint(i), Status: Verified, Bound: true},
		)
	}
	return all
}

// What was retold once or five times is worth no more than what it was told
// from, whoever of those who told it confirms it, and whoever they introduced.
func TestLaundering(t *testing.T) {
	const chains = 300
	rng := rand.New(rand.NewPCG(13, 14))
	net := introductionsOfFour()
	tellers := []string{"root", "agent", "mallory", "carol"}
	cut, freed := 0, 0
	for i := range chains {
		origin := Facts{
			Signature: pick(rng, Valid, Absent, UnknownKey, Invalid), Author: "mallory", Reputation: rng.IntN(One / 2),
			Introductions: net, Anchors: anchors(rng.IntN(2)),
		}
		if rng.IntN(2) == 0 {
			origin.Verdicts = confirm("carol")
		}
		first := Score(origin, Seed())
		limit := Limit{first.Score, first.Level, memory.Ref{Kind: memory.KindNote, ID: id(i)}, []string{"mallory"}, false}
		for range 1 + rng.IntN(5) {
			retelling := Facts{Signature: Valid, Author: pick(rng, tellers...), Reputation: One, Introductions: net,
				Anchors: anchors(3), Limit: &limit}
			retelling.Verdicts = confirm(crowd(append(slices.Clone(limit.Authors), retelling.Author))...)
			r := Score(retelling, Seed())
			if r.Score > first.Score || r.Level != Unverified && !first.Level.AtLeast(r.Level) || !r.Limited {
				t.Fatalf("chain %d of %v: %d %s, from %d %s", i, limit.Authors, r.Score, r.Level, first.Score, first.Level)
			}
			if r.Own > r.Score {
				cut++
			}
			if free := Score(retelling.with(confirm("bob")...), Seed()); !free.Limited && free.Score > r.Score &&
				free.Score == free.Own {
				freed++
			}
			limit = Limit{r.Score, r.Level, limit.Ref, append(slices.Clone(limit.Authors), retelling.Author), false}
		}
	}
	if cut < chains || freed < chains {
		t.Errorf("%d scores were cut and %d freed by somebody independent: the chains prove nothing", cut, freed)
	}
}

// crowd returns who wrote, whom they introduced, and strangers. Whom the root
// introduced is no one's puppet.
func crowd(authors []string) []string {
	all := []string{"eve", "trudy"}
	for _, a := range authors {
		all = append(all, a)
		for i := range 5 {
			if a != "root" {
				all = append(all, fmt.Sprint(a, "'s puppet ", i))
			}
		}
	}
	return all
}

// A limit gives way to a confirmation by somebody who has no part in the sources
// and is known without those who have.
func TestLimit(t *testing.T) {
	low := &Limit{Score: 2000, Level: Unverified, Authors: []string{"mallory"}}
	for _, tt := range []struct {
		what    string
		limit   *Limit
		said    []Verdict
		score   int
		level   Level
		limited bool
	}{
		{"no limit", nil, nil, 6000, Anchored, false},
		{"nobody confirms", low, nil, 2000, Unverified, true},
		{"an author of the sources confirms", low, confirm("mallory"), 2000, Unverified, true},
		{"his puppet confirms", low, confirm("mallory's puppet 1"), 2000, Unverified, true},
		{"its own author confirms", low, confirm("agent"), 2000, Unverified, true},
		{"its author's puppet confirms", low, confirm("agent's puppet 1"), 2000, Unverified, true},
		{"their common puppet confirms", low, confirm("a common puppet"), 2000, Unverified, true},
		{"a stranger confirms", low, confirm("eve"), 2000, Unverified, true},
		{"somebody independent confirms", low, confirm("bob"), 8000, Anchored, false},
		{"his friend confirms", low, confirm("bob's puppet 1"), 8000, Anchored, false},
		{"the root confirms", low, confirm("root"), 8000, Anchored, false},
		{
			"the root confirms what it had a part in", &Limit{2000, Unverified, memory.Ref{}, []string{"root"}, false},
			confirm("root"), 2000, Unverified, true,
		},
		{
			"the root had a part, another confirms", &Limit{2000, Unverified, memory.Ref{}, []string{"root"}, false},
			confirm("bob"), 8000, Anchored, false,
		},
		{"somebody independent disputes", low, []Verdict{{Controller: "bob", Says: Dispute}}, 2000, Unverified, true},
		{"a limit above it", &Limit{9000, Consensus, memory.Ref{}, nil, false}, nil, 6000, Anchored, true},
		{"a limit by the level alone", &Limit{9000, Attested, memory.Ref{}, nil, false}, nil, 6000, Attested, true},
		{"a limit by the number alone", &Limit{5000, Consensus, memory.Ref{}, nil, false}, nil, 5000, Attested, true},
		{"a rejected source", &Limit{0, Rejected, memory.Ref{}, nil, false}, nil, 0, Unverified, true},
		{"a source whose level is unknown", &Limit{9000, "", memory.Ref{}, nil, false}, nil, 6000, Unverified, true},
	} {
		f := Facts{Signature: Valid, Author: "agent", Reputation: One / 2, Introductions: introductionsOfFour(),
			Anchors: anchors(2), Verdicts: tt.said, Limit: tt.limit}
		r := Score(f, Seed())
		if r.Score != tt.score || r.Level != tt.level || r.Limited != tt.limited {
			t.Errorf(
				"%s: %d %s, limited %v; want %d %s, %v", tt.what, r.Score, r.Level, r.Limited, tt.score,
				tt.level, tt.limited,
			)
		}
		if got, want := r.LevelByRange, Seed().byRange(tt.score); got != want {
			t.Errorf("%s: %s by range, want %s", tt.what, got, want)
		}
		if got := slices.Contains(r.Flags, FlagTainted); got != tt.limited {
			t.Errorf("%s: flags %q, want tainted %v", tt.what, r.Flags, tt.limited)
		}
	}
	wrong := Score(Facts{Signature: Invalid, Limit: low}, Seed())
	if wrong.Level != Rejected || wrong.Score != 0 {
		t.Errorf("a wrong signature with a limit: %d %s, want 0 rejected", wrong.Score, wrong.Level)
	}
}
