package trust

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// Puppets behind one introducer are one voice, behind two they are two: they
// buy no bonus and no consensus, and sink nothing.
func TestPuppets(t *testing.T) {
	for _, tt := range []struct {
		what            string
		by              []string
		says            string
		voices          int
		score           int
		level           Level
		refused, common string
	}{
		{
			"confirm behind one", []string{"alice"}, Confirm, 1, 8000, Anchored, "",
			"20 witnesses confirm it, but with 1 voice",
		},
		{
			"confirm behind two", []string{"alice", "bob"}, Confirm, 2, 8000, Consensus, "",
			"20 witnesses confirm it, but with 2 voices",
		},
		{"confirm behind three", []string{"alice", "bob", "carol"}, Confirm, 3, 9000, Consensus, "", "but with 3 voices"},
		{"confirm behind the author", []string{"author"}, Confirm, 0, 6000, Anchored, whyAuthors, "no witness confirms it"},
		{
			"dispute behind one", []string{"alice"}, Dispute, 1, 4500, Attested, "",
			"20 witnesses dispute it, but with 1 voice",
		},
		{"dispute behind the author", []string{"author"}, Dispute, 0, 6000, Anchored, whyAuthors, "no disputes"},
		{"partly confirm behind one", []string{"alice"}, Partial, 1, 6000, Anchored, "", "20 witnesses in part"},
	} {
		names, made := puppets(20, tt.by...)
		for _, who := range []string{"alice", "bob", "carol", "author"} {
			made = append(made, Introduction{"root", who})
		}
		f := Facts{Signature: Valid, Author: "author", Reputation: One / 2, Anchors: anchors(2),
			Introductions: NewIntroductions("root", made), Verdicts: confirm(names...)}
		for i := range f.Verdicts {
			f.Verdicts[i].Says = tt.says
		}
		r := Score(f, Seed())
		if got := r.ConfirmVoices + r.DisputeVoices + r.PartialVoices; got != tt.voices || r.Score != tt.score ||
			r.Level != tt.level {
			t.Errorf("%s: %d voices, %d %s; want %d, %d %s", tt.what, got, r.Score, r.Level, tt.voices, tt.score, tt.level)
		}
		if got, want := r.Opinion, opinion(r.ConfirmVoices, r.DisputeVoices); got != want {
			t.Errorf("%s: opinion %+v, want that of voices, %+v", tt.what, got, want)
		}
		if !strings.Contains(explained(r), tt.common) {
			t.Errorf("%s: explained as\n%s\nwant in it %q", tt.what, explained(r), tt.common)
		}
		for _, refused := range r.Refused {
			if refused.Why != tt.refused {
				t.Errorf("%s: refused for %q, want %q", tt.what, refused.Why, tt.refused)
			}
		}
	}
}

func explained(r Result) string {
	var b strings.Builder
	for _, t := range r.Terms {
		fmt.Fprintf(&b, "%s %s %s\n", t.Name, Decimal(t.Points), t.Why)
	}
	return b.String()
}

// Every line of the sum is there and says why, also where it is worth nothing.
func TestTermsAreForPeople(t *testing.T) {
	full := Facts{
		Signature: Valid, Author: "author", Reputation: 9000, Anchors: anchors(1),
		Introductions: known("author", "w", "w2", "w3"),
		Verdicts: slices.Concat(
			confirm("w", "w2"),
			[]Verdict{{Controller: "author", Says: Dispute}, {Controller: "w3", Says: Partial}},
		),
		Limit: &Limit{
			Score: 3000, Level: Attested, Ref: memory.Ref{Kind: memory.KindNote, ID: memory.ID{0xab}},
			Authors: []string{"w", "w2"},
		},
	}
	for _, tt := range []struct {
		what  string
		facts Facts
		want  string
	}{
		{"nothing", Facts{}, `
signature 0.0000 not signed: who wrote it is only said
witness 0.0000 no witness confirms it
witnesses 0.0000 0 of the 3 independent voices needed confirm
anchor 0.0000 nothing outside holds it
anchors 0.0000 0 of the 2 independent anchors needed hold
reputation 0.0000 no reputation without a valid signature
disputes 0.0000 no disputes
`},
		{"all of it", full, `
signature 0.2000 the author's signature is valid
witness 0.2000 2 witnesses confirm it, each with a voice of their own
witnesses 0.0000 2 of the 3 independent voices needed confirm
anchor 0.2000 1 independent anchor holds it
anchors 0.0000 1 of the 2 independent anchors needed hold
reputation 0.1800 the author's reputation is 0.9000
disputes -0.1500 its own author disputes it
partials 0.0000 1 witness in part: shown, and worth nothing either way
limit 0.0000 worth at most 0.3000, as note:ab000000 is, until somebody independent confirms it
`},
		{"wrong", Facts{
			Signature: Invalid, Author: "author", Reputation: One, Anchors: anchors(2), Verdicts: confirm("w"),
			Introductions: known("w"),
		}, `
signature 0.0000 the author's signature is wrong: nothing else counts
witness 0.0000 1 witness confirms it
witnesses 0.0000 1 of the 3 independent voices needed confirm
anchor 0.0000 2 independent anchors hold it
anchors 0.0000 2 of the 2 independent anchors needed hold
reputation 0.0000 no reputation without a valid signature
disputes 0.0000 no disputes
`},
	} {
		if got := explained(Score(tt.facts, Seed())); got != tt.want[1:] {
			t.Errorf("%s:\n%s\nwant\n%s", tt.what, got, tt.want[1:])
		}
	}
	free := Score(full.with(confirm("w3")...), Seed()) // later than its partial
	if got, want := explained(free), "somebody independent of note:ab000000 confirms it: no limit"; !strings.Contains(
		got,
		want,
	) {
		t.Errorf("freed:\n%s\nwant in it %q", got, want)
	}
	bad := Score(Facts{Signature: UnknownKey, Author: "author", Introductions: known("w"),
		Verdicts: []Verdict{{Controller: "author", Says: Dispute}, {Controller: "w", Says: Dispute}}}, Policy{})
	if got, want := explained(bad), "2 witnesses dispute it, each with a voice of their own, one of them its "+
		"author"; !strings.Contains(got, want) {
		t.Errorf("disputed:\n%s\nwant in it %q", got, want)
	}
}

// What stands first among the verdicts of one witness is the latest; at one time
// the gravest; of two equal ones the smaller id.
func TestOneVerdictForEachWitness(t *testing.T) {
	v := func(n byte, says string, at int64) Verdict {
		return Verdict{ID: memory.ID{n}, Controller: "w", Says: says, At: second(at)}
	}
	refused := func(v Verdict, why string) Verdict { v.Refused = why; return v }
	resolved := func(v Verdict) Verdict { v.Rejected = true; return v }
	for _, tt := range []struct {
		what string
		said []Verdict
		want [3]int // confirms, partials, disputes
		why  []string
	}{
		{
			"the latest", []Verdict{v(1, Dispute, 1), v(2, Partial, 2), v(3, Confirm, 3)}, [3]int{1, 0, 0},
			[]string{whyLater, whyLater},
		},
		{"the gravest at one time", []Verdict{v(1, Confirm, 1), v(2, Partial, 1)}, [3]int{0, 1, 0}, []string{whyGraver}},
		{"dispute over partial", []Verdict{v(1, Partial, 1), v(2, Dispute, 1)}, [3]int{0, 0, 1}, []string{whyGraver}},
		{"the same again", []Verdict{v(2, Confirm, 1), v(1, Confirm, 1)}, [3]int{1, 0, 0}, []string{whySaidBefore}},
		{
			"what is refused hides nothing",
			[]Verdict{v(1, Confirm, 1), refused(v(2, Dispute, 2), "bad signature")}, [3]int{1, 0, 0},
			[]string{"bad signature"},
		},
		{
			"what a resolution rejects hides nothing", []Verdict{v(1, Confirm, 1), resolved(v(2, Dispute, 2))},
			[3]int{1, 0, 0}, []string{whyResolved},
		},
	} {
		r := Score(Facts{Signature: Valid, Author: "author", Introductions: known("w"), Verdicts: tt.said}, Seed())
		if got := [3]int{r.Confirms, r.Partials, r.Disputes}; got != tt.want {
			t.Errorf("%s: confirms, partials, disputes %v, want %v", tt.what, got, tt.want)
		}
		var why []string
		for _, refused := range r.Refused {
			why = append(why, refused.Why)
		}
		if !slices.Equal(why, tt.why) {
			t.Errorf("%s: refused for %q, want %q", tt.what, why, tt.why)
		}
	}
	r := Score(Facts{Introductions: known("w"), Verdicts: []Verdict{v(2, Confirm, 1), v(1, Confirm, 1)}}, Seed())
	if len(r.Refused) != 1 || r.Refused[0].ID != (memory.ID{2}) {
		t.Errorf("refused %+v, want the one with the greater id", r.Refused)
	}
	nobody := Score(Facts{Verdicts: []Verdict{{Says: Dispute}, {Says: Confirm}}}, Seed())
	if nobody.Disputes != 0 || len(nobody.Refused) != 2 || nobody.Refused[0].Why != whyUnidentified ||
		nobody.Refused[1].Why != whyUnidentified {
		t.Errorf("nobody's word on what nobody wrote: %+v, want it refused", nobody)
	}
	long := Score(Facts{Introductions: known("w"), Verdicts: []Verdict{v(1, strings.Repeat("x", 1<<20), 1)}}, Seed())
	if got := len(long.Refused[0].Why); got > 100 {
		t.Errorf("a reason of %d bytes", got)
	}
}

// Anchors count once for each place and each class; one of no class adds nothing
// beside another.
func TestAnchors(t *testing.T) {
	a := func(reference, class string, s Status) Anchor {
		return Anchor{ID: id(reference, class), Type: "url", Reference: reference, Class: class, Status: s, Bound: true}
	}
	for _, tt := range []struct {
		what  string
		all   []Anchor
		want  int
		flags []string
	}{
		{"two classes", []Anchor{a("1", "x", Verified), a("2", "y", Verified)}, 2, nil},
		{"one class", []Anchor{a("1", "x", Verified), a("2", "x", Verified)}, 1, nil},
		{"one place said to be of two classes", []Anchor{a("1", "x", Verified), a("1", "y", Verified)}, 1, nil},
		{"no class", []Anchor{a("1", "", Verified), a("2", "", Verified)}, 1, nil},
		{"one without a class, one with", []Anchor{a("1", "", Verified), a("2", "x", Verified)}, 1, nil},
		{
			"gone and unreachable", []Anchor{a("1", "x", Gone), a("2", "y", Unreachable)}, 0,
			[]string{FlagAnchorChanged, FlagAnchorUnverifiable},
		},
		{"one changed, one holds", []Anchor{a("1", "x", Changed), a("2", "y", Verified)}, 1, []string{FlagAnchorChanged}},
		{"unknown words", []Anchor{a("1", "x", ""), a("2", "y", "fine")}, 0, []string{FlagAnchorUnverifiable}},
		{"not bound and changed", []Anchor{{Reference: "1", Class: "x", Status: Changed}}, 0, []string{FlagAnchorNotBound}},
	} {
		r := Score(Facts{Signature: Valid, Author: "author", Anchors: tt.all}, Seed())
		if r.Anchors != tt.want || !slices.Equal(r.Flags, tt.flags) {
			t.Errorf("%s: %d anchors, flags %q; want %d, %q", tt.what, r.Anchors, r.Flags, tt.want, tt.flags)
		}
		if got := r.Anchors + len(r.RefusedAnchors); got != len(tt.all) {
			t.Errorf("%s: %d anchors are counted or refused, want %d", tt.what, got, len(tt.all))
		}
	}
}
