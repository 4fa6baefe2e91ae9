package exchange_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// A member proposes to replace a revision, and another person's revision of the same memory is shown
// in its place meanwhile: the proposal stays open for all, and each way to decide it works.
func TestAProposalAboutAnOutrankedRevisionStaysOpen(t *testing.T) {
	t.Parallel()
	for _, decision := range []string{"old", "new", "both"} {
		t.Run(decision, func(t *testing.T) {
			t.Parallel()
			team := newTeam(t, 3)
			owner, keeper := team.In(0, memory.OriginOwner), team.In(1, memory.OriginOwner)
			member := team.In(2, memory.OriginOwner)
			base := add(t, owner, "belief", "the ferry leaves at 7")
			team.Settle(t)
			team.Keeper(t, 1)
			team.Settle(t)
			older := revise(t, owner, base, "the ferry leaves at 8")
			syncs(t, team.All[0])
			syncs(t, team.All[2])
			r, err := member.Remember(t.Context(), api.RememberRequest{
				Text: "the ferry leaves at 10", Replaces: []string{older},
			})
			if err != nil {
				t.Fatal(err)
			}
			proposed := r.Memories[0].Ref
			shown := revise(t, keeper, base, "the ferry leaves at 9")
			team.Settle(t)
			link := ""
			for i := range team.All {
				e := team.In(i, memory.OriginOwner)
				now := currentIn(t, e)
				if now[older].Ref != "" || now[shown].Ref == "" || now[proposed].Ref == "" {
					t.Fatalf("store %d gives %v, want the keeper's revision and the proposal", i, now)
				}
				open, named := conflicts(t, e)
				if !named[proposed] || !named[older] {
					t.Fatalf("store %d: %+v, want the proposal among the conflicts", i, open)
				}
				for _, l := range open.Conflicts {
					if l.New.Ref == proposed {
						link = l.Ref
					}
				}
			}
			if _, err := owner.Resolve(t.Context(), api.ResolveRequest{Ref: link, Keep: decision}); err != nil {
				t.Fatalf("resolve the proposal: %v", err)
			}
			team.Settle(t)
			for i := range team.All {
				e := team.In(i, memory.OriginOwner)
				now := currentIn(t, e)
				if _, has := now[proposed]; has == (decision == "old") {
					t.Errorf("store %d: the proposal is current: %v", i, has)
				}
				open, _ := conflicts(t, e)
				for _, l := range open.Conflicts {
					if l.Ref == link {
						t.Errorf("store %d: %+v is open after it was decided", i, l)
					}
				}
				if doctor, audit := problems(t, team.All[i].Owner); doctor+notMissing(audit) != "" {
					t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
				}
			}
		})
	}
}
