package exchange_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// What a keeper decided and did not send before the owner dismissed them counts in no store, also
// not in their own, and they are told. What the owner had of them holds, whatever came first.
func TestADismissedKeeperIsToldWhatDoesNotCount(t *testing.T) {
	t.Parallel()
	ctx, team := t.Context(), newTeam(t, 3)
	owner, keeper := team.In(0, memory.OriginOwner), team.In(1, memory.OriginOwner)
	sent, unsent := add(t, owner, "belief", "the mill opens at 7"), add(t, owner, "belief", "the ferry leaves at 9")
	known := add(t, owner, "belief", "the quarry opens at 8")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	reject := func(ref string) string {
		t.Helper()
		r, err := keeper.Reject(ctx, api.DecideRequest{Refs: []string{ref}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Claim
	}
	reject(sent)
	reject(known)
	team.Settle(t)
	mark := reject(unsent)
	if _, err := owner.DismissKeeper(ctx, team.Space, team.All[1].Principal()); err != nil {
		t.Fatal(err)
	}
	syncs(t, team.All[0])
	r, err := team.All[1].Owner.Sync(ctx, api.SyncRequest{})
	if err != nil || len(r.Uncounted) != 1 || r.Uncounted[0].Space != team.Space || r.Uncounted[0].Count != 1 ||
		!slices.Equal(r.Uncounted[0].Refs, []string{mark}) {
		t.Errorf("the sync that brings the dismissal says %+v, %v, want %s", r.Uncounted, err, mark)
	}
	team.Settle(t)
	if r, err := team.All[1].Owner.Sync(ctx, api.SyncRequest{}); err != nil || len(r.Uncounted) > 0 {
		t.Errorf("the next sync says %+v, %v", r.Uncounted, err)
	}
	for i, p := range team.All {
		if got := currentIn(t, team.In(i, memory.OriginOwner)); len(got) != 1 || got[unsent].Ref == "" {
			t.Errorf("store %d gives %v, want %s alone", i, got, unsent)
		}
		d, err := p.Owner.Doctor(ctx, api.DoctorRequest{})
		if err != nil || len(d.Problems) > 0 {
			t.Errorf("store %d: doctor %+v, %v", i, d.Problems, err)
		}
		told := slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, "1 of your decisions") })
		if told != (i == 1) {
			t.Errorf("store %d: doctor notes %q", i, d.Notes)
		}
	}
}
