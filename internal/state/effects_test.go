package state

import (
	"bytes"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/memory"
)

// effects has a body of each kind, and says what a record with it does to the state of
// the belief that it speaks of or comes from.
func effects(r *memory.Record) map[memory.Kind]struct {
	body memory.Body
	did  func(State) bool
} {
	other := memory.Ref{Kind: memory.KindBelief, ID: memory.ID{31: 1}}
	nothing := func(s State) bool { return s == State{Confidence: 600} }
	return map[memory.Kind]struct {
		body memory.Body
		did  func(State) bool
	}{
		memory.KindRaw: {&memory.Raw{Text: "no", Source: "cli"}, nothing},
		// of another kind than the belief, it cannot replace it
		memory.KindEpisode: {&memory.Episode{Objective: "ship", Outcome: "shipped", OutcomeType: "success"}, nothing},
		memory.KindNote:    {&memory.Note{Type: "observation", Summary: "it is grey"}, nothing},
		memory.KindBelief: {
			&memory.Belief{Statement: "the sky is grey"}, func(s State) bool { return !s.SupersededBy.IsZero() },
		},
		memory.KindValue:        {&memory.Value{Name: "honesty"}, nothing},
		memory.KindGoal:         {&memory.Goal{Title: "release"}, nothing},
		memory.KindDrive:        {&memory.Drive{Type: "curiosity"}, nothing},
		memory.KindRelationship: {&memory.Relationship{Name: "Ana", Type: "person"}, nothing},
		memory.KindPlaybook:     {&memory.Playbook{Name: "release", When: "on Fridays"}, nothing},
		memory.KindLink: {
			&memory.Link{Source: r.Ref(), Target: other, Relation: "extend"},
			func(s State) bool { return s.Links == 1 },
		},
		memory.KindWitness: {
			&memory.Witness{Of: r.Ref(), Attestation: "dispute"}, func(s State) bool { return s.Disputes == 1 },
		},
		memory.KindAnchor: {
			&memory.Anchor{Of: r.Ref(), Type: "url", Reference: "https://example.org"},
			func(s State) bool { return s.Anchors == 1 },
		},
		memory.KindVerify: {
			&memory.Verify{Of: r.Ref()},
			func(s State) bool { return s.Verifications == 1 && s.Confidence == 700 },
		},
		memory.KindAssess: {
			&memory.Assess{Of: r.Ref(), To: ptr(memory.Confidence(800))},
			func(s State) bool { return s.Confidence == 800 },
		},
		memory.KindMark: {
			&memory.Mark{Of: ref(r), Verb: memory.Forget, Reason: "old"},
			func(s State) bool { return s.Forgotten && s.Reason == "old" },
		},
		memory.KindKey: {
			&memory.Key{Op: memory.OpRevoke, Key: someone(9).did, Of: ref(r), Reason: "lost"}, nothing,
		},
	}
}

// A kind that is not in effects is one no one thought about.
func TestFoldKinds(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	r := s.write(owner, noon, &memory.Belief{Statement: "the sky is blue"})
	all, kinds := effects(r), append(memory.Memories(), memory.Claims()...)
	if len(all) != len(kinds) {
		t.Errorf("%d effects, want one for each of %d kinds", len(all), len(kinds))
	}
	for _, k := range kinds {
		e := all[k]
		if e.did == nil {
			t.Errorf("nobody thought of %s", k)
			continue
		}
		h := s.header(owner, noon.Add(time.Minute))
		switch {
		case k == memory.KindBelief:
			h.Provenance.From, h.Provenance.Supersedes = []memory.Ref{r.Ref()}, []memory.Ref{r.Ref()}
		case k == memory.KindRaw || k == memory.KindEpisode:
			h.Recalled = []memory.ID{r.ID} // they cannot come from a belief
		case k.IsMemory():
			h.Provenance.From = []memory.Ref{r.Ref()}
		}
		c := s.make(h, e.body)
		if c.Header.Kind != k {
			t.Errorf("the body for %s is a %s's", k, c.Header.Kind)
		}
		if got := s.fold(r, c); !e.did(got) {
			t.Errorf("Fold = %+v, not what a %s should do", got, k)
		}
	}
}

// What this version cannot understand does nothing.
func TestFoldIgnoresOpaques(t *testing.T) {
	owner := someone(1)
	s := newScene(t, owner)
	target := s.write(owner, noon, &memory.Belief{Statement: "x"})
	good := s.write(s.delegate(owner, 2, memory.Time{}, memory.OriginAgent), noon, &memory.Witness{
		Of: target.Ref(), Attestation: "dispute",
	}).Bytes
	for name, change := range map[string][2]string{
		"unknown kind":  {`"kind":"witness"`, `"kind":"dream"`},
		"newer version": {`"v":1`, `"v":2`},
	} {
		raw := must(canon.Transform(bytes.Replace(good, []byte(change[0]), []byte(change[1]), 1)))
		r := must(memory.Decode(raw))
		if _, ok := r.Body.(*memory.Opaque); !ok {
			t.Errorf("%s: read as %T", name, r.Body)
		}
		if got, want := Fold(target, []*memory.Record{r}, noon, new(Keyring)), Initial(target); got != want {
			t.Errorf("%s: Fold = %+v, want %+v", name, got, want)
		}
	}
}

// FuzzFold: nothing that decodes makes a state panic.
func FuzzFold(f *testing.F) {
	owner := someone(1)
	s := newScene(f, owner)
	target := s.write(owner, noon, &memory.Belief{Statement: "x"})
	for _, e := range effects(target) {
		raw := s.write(owner, noon, e.body).Bytes
		f.Add(raw)
		f.Add(bytes.Replace(raw, []byte(`"v":1`), []byte(`"v":2`), 1))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := memory.Decode(raw)
		if err != nil {
			return
		}
		_ = Fold(target, []*memory.Record{r}, noon, NewKeyring(r))
		_ = Heads([]*memory.Record{r, target}, NewKeyring(r))
	})
}
