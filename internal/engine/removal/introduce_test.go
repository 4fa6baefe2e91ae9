package removal_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Whom only one friend introduces is no voice beside his; three whom I know myself are
// three. Taking a friend back takes back whom he brought.
func TestVoicesBehindOneFriend(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := add(t, p.Owner, "belief", "the weir holds")
	f := p.Friend("Ada")
	confirmed := 0
	voices := func(what string, want int) api.TrustReply {
		t.Helper()
		tr := trustIn(t, p.Owner, ref)
		if tr.Voices.Confirm != want || len(tr.Witnesses) != confirmed {
			t.Errorf("%s: %d voices of %d witnesses, want %d of %d", what, tr.Voices.Confirm, len(tr.Witnesses), want, confirmed)
		}
		return tr
	}
	take(t, p.Owner, f.Confirms(ref, "confirm"))
	confirmed++
	one := voices("a friend", 1)
	for range 20 {
		puppet := newForger(t, p.Now())
		take(t, p.Owner, f.Introduces(puppet.Key.DID()), puppet.Confirms(ref, "confirm"))
		confirmed++
	}
	if tr := voices("and 20 whom he brings", 1); tr.Score != one.Score {
		t.Errorf("20 puppets made %v of %v", tr.Score, one.Score)
	}
	for _, name := range []string{"Bea", "Cleo"} {
		take(t, p.Owner, p.Friend(name).Confirms(ref, "confirm"))
		confirmed++
	}
	if tr := voices("three friends", 3); tr.Score <= one.Score {
		t.Errorf("three voices are worth %v, one was %v", tr.Score, one.Score)
	}
	n := records(t, p.Owner)
	if r, err := p.Owner.Distrust(t.Context(), api.DistrustRequest{Key: "Ada", DryRun: true}); err != nil ||
		len(r.Claims) != 0 || records(t, p.Owner) != n {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
	voices("after a dry run", 3)
	if _, err := p.Owner.Distrust(t.Context(), api.DistrustRequest{Key: "Ada"}); err != nil {
		t.Fatal(err)
	}
	voices("without him", 2)
}
