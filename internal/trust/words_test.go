package trust

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// Each line of the sum says why it is worth what it is.
func TestTheSumIsToldInWords(t *testing.T) {
	introduced := func(names ...string) *Introductions {
		var made []Introduction
		for _, n := range names {
			made = append(made, Introduction{"root", n})
		}
		return NewIntroductions("root", made)
	}
	says := func(what string, names ...string) (list []Verdict) {
		for i, n := range names {
			list = append(list, Verdict{ID: id(i), Controller: n, Says: what, At: second(int64(i))})
		}
		return list
	}
	source := memory.Ref{Kind: memory.KindNote, ID: memory.ID{7}}
	known := introduced("ann", "bob", "cleo", "author")
	for what, tt := range map[string]struct {
		f    Facts
		want []string // among the lines: name, points and why
	}{
		"a signature": {Facts{Signature: Valid, Reputation: 5000}, []string{
			"signature 2000 the author's signature is valid", "reputation 1000 the author's reputation is 0.5000",
			"witness 0 no witness confirms it", "witnesses 0 0 of the 3 independent voices needed confirm",
			"anchor 0 nothing outside holds it", "anchors 0 0 of the 2 independent anchors needed hold",
			"disputes 0 no disputes",
		}},
		"no signature": {Facts{Reputation: One}, []string{
			"signature 0 not signed: who wrote it is only said", "reputation 0 no reputation without a valid signature",
		}},
		"an unknown key": {Facts{Signature: UnknownKey},
			[]string{"signature 0 signed with a key that was not introduced here"}},
		"a revoked key": {Facts{Signature: Revoked}, []string{"signature 0 signed with a key that was revoked"}},
		"a wrong one": {Facts{Signature: Invalid, Anchors: anchors(2)}, []string{
			"signature 0 the author's signature is wrong: nothing else counts", "anchor 0 2 independent anchors hold it",
		}},
		"one witness": {Facts{Signature: Valid, Author: "author", Introductions: known, Verdicts: says(Confirm, "ann")},
			[]string{
				"witness 2000 1 witness confirms it", "witnesses 0 1 of the 3 independent voices needed confirm",
			}},
		"three witnesses": {Facts{Signature: Valid, Author: "author", Introductions: known,
			Verdicts: says(Confirm, "ann", "bob", "cleo")}, []string{
			"witness 2000 3 witnesses confirm it, each with a voice of their own",
			"witnesses 1000 3 of the 3 independent voices needed confirm",
		}},
		"one dispute": {Facts{Signature: Valid, Author: "author", Introductions: known, Verdicts: says(Dispute, "ann")},
			[]string{
				"disputes -1500 1 witness disputes it",
			}},
		"its author's": {Facts{Signature: Valid, Author: "author", Introductions: known, Verdicts: says(Dispute,
			"author")}, []string{
			"disputes -1500 its own author disputes it",
		}},
		"its author's and another": {Facts{Signature: Valid, Author: "author", Introductions: known,
			Verdicts: says(Dispute, "author", "ann")}, []string{
			"disputes -3000 2 witnesses dispute it, each with a voice of their own, one of them its author",
		}},
		"in part": {Facts{Signature: Valid, Author: "author", Introductions: known, Verdicts: says(Partial, "ann", "bob")},
			[]string{
				"partials 0 2 witnesses in part: shown, and worth nothing either way",
			}},
		"one anchor": {Facts{Signature: Valid, Anchors: anchors(1)}, []string{
			"anchor 2000 1 independent anchor holds it", "anchors 0 1 of the 2 independent anchors needed hold",
		}},
		"three anchors": {Facts{Signature: Valid, Anchors: anchors(3)}, []string{
			"anchor 2000 3 independent anchors hold it", "anchors 1000 2 of the 2 independent anchors needed hold",
		}},
		"a limit": {Facts{Signature: Valid, Limit: &Limit{Score: 1000, Ref: source}}, []string{
			"limit 0 worth at most 0.1000, as note:07000000 is, until somebody independent confirms it",
		}},
		"a limit that is not held": {Facts{Signature: Valid, Limit: &Limit{Missing: true}}, []string{
			"limit 0 worth at most 0.0000: what it rests on, which is not held here, may be outside words; " +
				"exchange captures to know",
		}},
		"a limit that is lifted": {Facts{Signature: Valid, Author: "author", Introductions: known,
			Verdicts: says(Confirm, "ann"), Limit: &Limit{Ref: source, Missing: true}}, []string{
			"limit 0 somebody independent of note:07000000 confirms it: no limit",
		}},
	} {
		r := Score(tt.f, Seed())
		var lines []string
		for _, term := range r.Terms {
			lines = append(lines, strings.Join([]string{term.Name, itoa(term.Points), term.Why}, " "))
		}
		for _, want := range tt.want {
			if !slices.Contains(lines, want) {
				t.Errorf("%s: no %q in\n%s", what, want, strings.Join(lines, "\n"))
			}
		}
	}
}

func itoa(n int) string {
	return strings.TrimSuffix(strings.Replace(Decimal(n*One), ".0000", "", 1), ".")
}

// An anchor that is worth nothing says why, and flags what a reader must know.
func TestWhyAnAnchorIsWorthNothing(t *testing.T) {
	a := func(status Status, class, reference string, bound bool) Anchor {
		return Anchor{Type: "url", Reference: reference, Class: class, Status: status, Bound: bound}
	}
	for why, tt := range map[string]struct {
		all     []Anchor
		classes int
		flag    string
	}{
		"": {[]Anchor{a(Verified, "x", "1", true)}, 1, ""},
		"does not name this memory, and its author did not sign it in": {[]Anchor{a(Verified, "x", "1", false)}, 0,
			FlagAnchorNotBound},
		"its target has changed":            {[]Anchor{a(Changed, "x", "1", true)}, 0, FlagAnchorChanged},
		"what was there is gone":            {[]Anchor{a(Gone, "x", "1", true)}, 0, FlagAnchorChanged},
		"was not checked again in time":     {[]Anchor{a(Stale, "x", "1", true)}, 0, FlagAnchorStale},
		"could not be reached":              {[]Anchor{a(Unreachable, "x", "1", true)}, 0, FlagAnchorUnverifiable},
		"cannot be checked here":            {[]Anchor{a(Unverifiable, "x", "1", true)}, 0, FlagAnchorUnverifiable},
		"the same place again":              {[]Anchor{a(Verified, "x", "1", true), a(Verified, "y", "1", true)}, 1, ""},
		"not independent of another anchor": {[]Anchor{a(Verified, "x", "1", true), a(Verified, "x", "2", true)}, 1, ""},
	} {
		m := moor(tt.all)
		got := ""
		if len(m.refused) > 0 {
			got = m.refused[0].Why
		}
		if got != why || m.classes != tt.classes || len(m.flags) > 0 != (tt.flag != "") || tt.flag != "" &&
			!m.flags[tt.flag] {
			t.Errorf("%d classes, %v, %q; want %d, %q, %q", m.classes, m.flags, got, tt.classes, tt.flag, why)
		}
	}
	unknown := moor([]Anchor{a(Verified, "", "1", true), a(Verified, "", "2", true)})
	if unknown.classes != 1 || moor([]Anchor{a(Verified, "x", "1", true), a(Verified, "", "2", true)}).classes != 1 {
		t.Errorf("anchors of no known class are %d classes", unknown.classes)
	}
	if got := moor([]Anchor{a(Verified, "x", "1", true), a(Verified, "y", "2", true)}).classes; got != 2 {
		t.Errorf("two classes are %d", got)
	}
}

// Each level has its least score, and what it needs beside.
func TestALevelNeedsItsEvidence(t *testing.T) {
	p := Seed()
	for _, tt := range []struct {
		score, confirms, disputes, anchors int
		want                               Level
	}{
		{8000, 2, 0, 1, Consensus}, {7999, 2, 0, 1, Anchored}, {8000, 1, 0, 1, Anchored}, {8000, 2, 1, 1, Anchored},
		{8000, 2, 0, 0, Attested}, {6000, 0, 0, 1, Anchored}, {5999, 0, 0, 1, Attested}, {6000, 1, 0, 0, Attested},
		{3000, 0, 0, 1, Attested}, {3000, 1, 0, 0, Attested}, {2999, 1, 0, 1, Unverified}, {One, 0, 0, 0, Unverified},
	} {
		if got := p.level(tt.score, tt.confirms, tt.disputes, tt.anchors); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	for n, want := range map[int]bool{-1: false, 0: true, One: true, One + 1: false} {
		for name, set := range map[string]func(*Policy){
			"signature": func(p *Policy) { p.Signature = n }, "witness": func(p *Policy) { p.Witness = n },
			"witnesses": func(p *Policy) { p.Witnesses = n }, "anchor": func(p *Policy) { p.Anchor = n },
			"anchors": func(p *Policy) { p.Anchors = n }, "reputation": func(p *Policy) { p.Reputation = n },
			"dispute": func(p *Policy) { p.Dispute = n },
		} {
			p := Seed()
			if set(&p); (p.Check() == nil) != want {
				t.Errorf("%s of %d: %v", name, n, p.Check())
			}
		}
	}
	for name, tt := range map[string]struct {
		set  func(*Policy)
		want bool
	}{
		"many voices 1":     {func(p *Policy) { p.ManyVoices = 1 }, true},
		"many voices 0":     {func(p *Policy) { p.ManyVoices = 0 }, false},
		"many anchors 1":    {func(p *Policy) { p.ManyAnchors = 1 }, true},
		"many anchors 0":    {func(p *Policy) { p.ManyAnchors = 0 }, false},
		"consensus of 2":    {func(p *Policy) { p.ConsensusVoices = 2 }, true},
		"consensus of 1":    {func(p *Policy) { p.ConsensusVoices = 1 }, false},
		"attested 0":        {func(p *Policy) { p.Attested = 0 }, true},
		"attested -1":       {func(p *Policy) { p.Attested = -1 }, false},
		"anchored as low":   {func(p *Policy) { p.Anchored = p.Attested }, true},
		"anchored lower":    {func(p *Policy) { p.Anchored = p.Attested - 1 }, false},
		"consensus as low":  {func(p *Policy) { p.Consensus = p.Anchored }, true},
		"consensus lower":   {func(p *Policy) { p.Consensus = p.Anchored - 1 }, false},
		"consensus at most": {func(p *Policy) { p.Consensus = One }, true},
		"consensus more":    {func(p *Policy) { p.Consensus = One + 1 }, false},
	} {
		p := Seed()
		if tt.set(&p); (p.Check() == nil) != tt.want {
			t.Errorf("%s: %v", name, p.Check())
		}
	}
	want := Policy{"seed", 1, 2000, 2000, 1000, 2000, 1000, 2000, 1500, 3, 2, 3000, 6000, 8000, 2}
	if Seed() != want {
		t.Errorf("the seed's policy is %+v, want %+v", Seed(), want)
	}
}
