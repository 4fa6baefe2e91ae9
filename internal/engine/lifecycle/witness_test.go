package lifecycle_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// No one vouches for themselves: not the owner, not their agent, not with a record that
// no engine would make.
func TestNoOneWitnessesTheirOwnMemory(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := add(t, p.Agent, "belief", "the weir holds")
	for who, e := range map[string]*engine.Engine{"owner": p.Owner, "agent": p.Agent} {
		for _, verdict := range []string{"confirm", "partial"} {
			if _, err := e.Witness(
				t.Context(), api.WitnessRequest{Ref: ref, Attestation: verdict},
			); !errors.Is(err, api.ErrConflict) {
				t.Errorf("the %s says %s of his own: %v, want a conflict", who, verdict, err)
			}
		}
	}
	before := trustIn(t, p.Owner, ref)
	take(t, p.Owner, p.Stolen(true).Confirms(ref, "confirm"), p.Stolen(false).Confirms(ref, "confirm"))
	after := trustIn(t, p.Owner, ref)
	if after.Score != before.Score || after.Voices.Confirm != 0 || len(after.Witnesses) != 2 {
		t.Errorf(
			"after two forged ones: %v of %d voices, want %v of none, and both shown", after.Score,
			after.Voices.Confirm, before.Score,
		)
	}
	if _, err := p.Owner.Witness(t.Context(), api.WitnessRequest{Ref: ref, Attestation: "dispute"}); err != nil {
		t.Fatal(err)
	}
	if tr := trustIn(t, p.Owner, ref); tr.Score != before.Score-0.15 || len(tr.Flags) == 0 {
		t.Errorf("taken back: %v %v, want %v and a flag", tr.Score, tr.Flags, before.Score-0.15)
	}
}

// One person is one voice, with what he said last, of what he said it of.
func TestAWitnessIsHeardOnce(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := add(t, p.Owner, "belief", "the weir holds")
	f := p.Friend("Ada")
	voices := func(ref string, confirm, dispute int) {
		t.Helper()
		if v := trustIn(t, p.Owner, ref).Voices; v.Confirm != confirm || v.Dispute != dispute {
			t.Errorf("%d confirm and %d dispute, want %d and %d", v.Confirm, v.Dispute, confirm, dispute)
		}
	}
	for range 3 {
		f.At = f.At.Add(time.Minute)
		take(t, p.Owner, f.Confirms(ref, "confirm"))
	}
	p.Ahead(time.Hour)
	voices(ref, 1, 0)
	f.At = f.At.Add(time.Minute)
	take(t, p.Owner, f.Confirms(ref, "dispute"))
	voices(ref, 0, 1)
	f.At = p.Now().Add(2 * time.Hour) // a clock ahead is no weapon: nothing until then
	take(t, p.Owner, f.Confirms(ref, "confirm"))
	voices(ref, 0, 1)
	p.Ahead(2 * time.Hour)
	voices(ref, 1, 0)
	next := revise(t, p.Owner, ref, "the weir holds in summer")
	voices(next, 0, 0)
	if w := trustIn(t, p.Owner, next).Witnesses; len(w) == 0 || w[0].Counts || w[0].Why == "" {
		t.Errorf("of the revision before: %+v, want witnesses who do not count and why", w)
	}
}

func TestAVerdictIsOneOfThree(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	theirs := newForger(t, p.Now()).Says(&memory.Belief{Type: "fact", Statement: "words"})
	take(t, p.Owner, theirs)
	ref := theirs.Ref()
	for _, verdict := range []string{"", "maybe", "Confirm", "confirm ", "confirm,dispute"} {
		_, err := p.Owner.Witness(t.Context(), api.WitnessRequest{Ref: ref.String(), Attestation: verdict})
		if !isInvalid(err) {
			t.Errorf("verdict %q: %v, want it invalid", verdict, err)
		}
		if _, err := memory.New(theirs.Header, &memory.Witness{Of: ref, Attestation: verdict}); err == nil {
			t.Errorf("a record of the verdict %q can be made", verdict)
		}
	}
	if n := len(trustIn(t, p.Owner, ref.String()).Witnesses); n != 0 {
		t.Errorf("%d witnesses are kept", n)
	}
}
