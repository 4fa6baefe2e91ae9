package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// headsOf shuffles the revisions and asks that the heads do not move.
func headsOf(t *testing.T, s *scene, revisions ...*memory.Record) []memory.ID {
	t.Helper()
	var want []memory.ID
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 30 {
		var got []memory.ID
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
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	at := func(minute int) time.Time { return noon.Add(time.Duration(minute) * time.Minute) }
	root := s.write(owner, noon, &memory.Belief{Statement: "root"})
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
		in   []*memory.Record
		want []*memory.Record
	}{
		{"none", nil, nil},
		{"one", []*memory.Record{root}, []*memory.Record{root}},
		{"a chain", []*memory.Record{root, a, deep}, []*memory.Record{deep}},
		{"a fork: the later clock", []*memory.Record{root, a, b}, []*memory.Record{b, a}},
		{"at one time: the smaller id", []*memory.Record{root, b, twin}, []*memory.Record{small, large}},
		{"the deeper branch beats the later clock", []*memory.Record{root, a, b, deep}, []*memory.Record{deep, b}},
		{"a merge", []*memory.Record{root, a, b, deep, deeper, merge}, []*memory.Record{merge}},
		{"an unauthorized revision replaces nothing", []*memory.Record{root, foreign}, []*memory.Record{foreign, root}},
		{"an agent does not replace its owner", []*memory.Record{root, a, byAgent}, []*memory.Record{a, byAgent}},
		{"a parent that is not held", []*memory.Record{b, deep}, []*memory.Record{b, deep}},
		{"twice the same", []*memory.Record{root, a, a, root}, []*memory.Record{a}},
	} {
		var want []memory.ID
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
	r := s.write(owner, noon, &memory.Belief{Statement: "root"})
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
	chain := []*memory.Record{s.write(owner, noon, &memory.Belief{Statement: "0"})}
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
	plain := s.write(someone(1), noon, &memory.Belief{Statement: "x"})
	h := s.header(someone(1), noon)
	h.Provenance.Evidence = []memory.Evidence{{Type: "code", Path: "a.go"}}
	code := s.make(h, &memory.Belief{Statement: "x"})
	h.Provenance.Evidence[0].Type = "file"
	file := s.make(h, &memory.Belief{Statement: "x"})
	for _, tt := range []struct {
		name             string
		r                *memory.Record
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
		{"a raw has none", s.write(someone(1), noon, &memory.Raw{Text: "x"}), true, true, ReviewApproved, NoTier},
		{"a claim has none", s.write(someone(1), noon, &memory.Verify{Of: plain.Ref()}), true, true, ReviewApproved, NoTier},
	} {
		state := State{Review: tt.review, ReachesRaw: tt.events}
		if tt.verified {
			state.Verified = memory.At(noon)
		}
		if got := TierOf(tt.r, &state); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
