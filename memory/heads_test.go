package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// headsOf shuffles the revisions and asks that the heads do not move.
func headsOf(t *testing.T, s *scene, revisions ...*Record) []ID {
	t.Helper()
	var want []ID
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 30 {
		var got []ID
		for _, r := range Heads(revisions, s.ring) {
			got = append(got, r.ID)
		}
		if n > 0 && !slices.Equal(got, want) {
			t.Fatalf("the order of arrival moves the heads: %v, then %v", want, got)
		}
		want = got
		random.Shuffle(len(revisions), func(i, j int) { revisions[i], revisions[j] = revisions[j], revisions[i] })
	}
	return want
}

func TestHeads(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	agent := s.delegate(owner, 2, Time{}, OriginAgent)
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	root := s.write(owner, noon, &Belief{Statement: "root"})
	a := s.revise(owner, at(1), "a", root)
	b := s.revise(owner, at(2), "b", root)
	deep := s.revise(owner, at(-9), "deep", a) // its clock is behind
	deeper := s.revise(owner, at(-8), "deeper", deep)
	merge := s.revise(owner, at(-7), "merge", deeper, b)
	foreign := s.revise(someone(4), at(50), "foreign", root)
	byAgent := s.revise(agent, at(60), "agent", root)
	twin := s.revise(owner, at(2), "twin", root)
	small, large := b, twin
	if small.ID.Compare(large.ID) > 0 {
		small, large = large, small
	}
	for _, tt := range []struct {
		name string
		in   []*Record
		want []*Record
	}{
		{"none", nil, nil},
		{"one", []*Record{root}, []*Record{root}},
		{"a chain", []*Record{root, a, deep}, []*Record{deep}},
		{"a fork: the later clock", []*Record{root, a, b}, []*Record{b, a}},
		{"at one time: the smaller id", []*Record{root, b, twin}, []*Record{small, large}},
		{"the deeper branch beats the later clock", []*Record{root, a, b, deep}, []*Record{deep, b}},
		{"a merge", []*Record{root, a, b, deep, deeper, merge}, []*Record{merge}},
		{"without standing nothing is replaced", []*Record{root, foreign}, []*Record{foreign, root}},
		{"an agent does not replace its owner", []*Record{root, a, byAgent}, []*Record{a, byAgent}},
		{"a parent that is not held", []*Record{b, deep}, []*Record{b, deep}},
		{"twice the same", []*Record{root, a, a, root}, []*Record{a}},
	} {
		var want []ID
		for _, r := range tt.want {
			want = append(want, r.ID)
		}
		if got := headsOf(t, s, tt.in...); !slices.Equal(got, want) {
			t.Errorf("%s: heads %v, want %v", tt.name, got, want)
		}
	}
}

// TestFoldRevision: of two revisions the one that had seen the other is shown,
// though its clock is behind.
func TestFoldRevision(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	r := s.write(owner, noon, &Belief{Statement: "root"})
	a := s.revise(owner, noon.Add(time.Hour), "a", r)
	b := s.revise(owner, noon.Add(time.Minute), "b", r, a)
	c := s.revise(someone(4), noon.Add(2*time.Hour), "c", r)
	early := s.revise(owner, noon.Add(time.Second), "early", r)
	if got := s.fold(r, a, b, c, early).SupersededBy; got != b.ID {
		t.Errorf("superseded by %s, want %s", got.Short(), b.ID.Short())
	}
	if got := s.fold(r, c); !got.SupersededBy.IsZero() || !got.Active() {
		t.Errorf("a stranger replaced it: %+v", got)
	}
}

func TestHeadsOfLongChain(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	chain := []*Record{s.write(owner, noon, &Belief{Statement: "0"})}
	for n := 1; n < 10_000; n++ {
		chain = append(chain, s.revise(owner, noon, fmt.Sprint(n), chain[n-1]))
	}
	last := chain[len(chain)-1]
	slices.Reverse(chain)
	if got := Heads(chain, s.ring); len(got) != 1 || got[0] != last {
		t.Errorf("%d heads, the first %v", len(got), got[0].Headline())
	}
}

// TestTierOf is the seed's function, all eight rows of it, twice: pending and
// not.
func TestTierOf(t *testing.T) {
	s := newScene(t, someone(1))
	plain := s.write(someone(1), noon, &Belief{Statement: "x"})
	h := s.header(someone(1), noon)
	h.Provenance.Evidence = []Evidence{{Type: "code", Path: "a.go"}}
	code := s.make(h, &Belief{Statement: "x"})
	h.Provenance.Evidence[0].Type = "file"
	file := s.make(h, &Belief{Statement: "x"})
	for _, tt := range []struct {
		name             string
		r                *Record
		verified, events bool
		review           Review
		want             Tier
	}{
		{"code, verified, approved", code, true, false, ReviewApproved, Grounded},
		{"events, pending", plain, false, true, ReviewPending, Observed},
		{"pending, nothing else", plain, false, false, ReviewPending, Inferred},
		{"code, verified, pending", code, true, false, ReviewPending, Inferred},
		{"no code, verified, approved", plain, true, false, ReviewApproved, Observed},
		{"code, approved, not verified", code, false, false, ReviewApproved, Observed},
		{"nothing at all", plain, false, false, ReviewNone, Hypothesis},
		{"code, verified, rejected", code, true, false, ReviewRejected, Hypothesis},
		{"a file is no code", file, true, false, ReviewApproved, Observed},
		{"events, rejected", plain, false, true, ReviewRejected, Observed},
		{"code, verified, events, not approved", code, true, true, ReviewNone, Observed},
		{"a raw has none", s.write(someone(1), noon, &Raw{Text: "x"}), true, true, ReviewApproved, NoTier},
		{"a claim has none", s.write(someone(1), noon, &Verify{Of: plain.Ref()}), true, true, ReviewApproved, NoTier},
	} {
		state := State{Review: tt.review, ReachesRaw: tt.events}
		if tt.verified {
			state.Verified = At(noon)
		}
		if got := TierOf(tt.r, &state); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
