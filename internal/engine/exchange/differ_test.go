package exchange_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// twoDecide has two members write what contradicts, and the owner and a keeper of the space decide
// it before they know of each other's decision. It returns the two memories, the older one first.
func twoDecide(
	t *testing.T, team *team, kind string, owner, keeper func(link string) api.ResolveRequest,
) (old, newer string) {
	t.Helper()
	add(t, team.In(0, memory.OriginOwner), "belief", "The rate limit of the vendor is 100 requests")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	add(t, team.In(2, memory.OriginOwner), kind, "The rate limit of the vendor is 300 requests")
	team.Settle(t)
	open, _ := conflicts(t, team.In(0, memory.OriginOwner))
	if len(open.Conflicts) != 1 {
		t.Fatalf("%d conflicts, want the one between the two", len(open.Conflicts))
	}
	link := open.Conflicts[0]
	old, newer = link.Old.Ref, link.New.Ref
	for i, in := range []api.ResolveRequest{owner(link.Ref), keeper(link.Ref)} {
		if _, err := team.In(i, memory.OriginOwner).Resolve(t.Context(), in); err != nil {
			t.Fatalf("decision %d: %v", i, err)
		}
	}
	team.Settle(t)
	return old, newer
}

func keep(what string) func(string) api.ResolveRequest {
	return func(link string) api.ResolveRequest { return api.ResolveRequest{Ref: link, Keep: what} }
}

// Two people who may decide one conflict in two ways before they sync: nothing is lost, all see that
// they differ, and a decision ends it for all.
func TestTwoDecisionsThatExcludeEachOtherLoseNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what, kind    string
		owner, keeper string // what each keeps
		current       string // of both decisions
		then          string // what the owner keeps in the end
	}{
		{"old and new", "belief", "old", "new", "old", "new"},
		{"new and old", "belief", "new", "old", "old", "old"},
		{"new and old, both in the end", "belief", "new", "old", "old", "both"},
		{"of two kinds", "note", "old", "new", "", "new"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			team := newTeam(t, 3)
			old, newer := twoDecide(t, team, tt.kind, keep(tt.owner), keep(tt.keeper))
			for i := range team.All {
				e := team.In(i, memory.OriginOwner)
				now := currentIn(t, e)
				_, hasOld := now[old]
				_, hasNew := now[newer]
				if hasOld != (tt.current == "old") || hasNew != (tt.current == "new") {
					t.Errorf("store %d gives the old %v, the new %v, want the %s one", i, hasOld, hasNew, tt.current)
				}
				open, named := conflicts(t, e)
				if !named[old] || !named[newer] || !strings.Contains(open.Conflicts[0].Reason, "two ways") {
					t.Errorf("store %d: conflicts %+v, want that the two were decided in two ways", i, open.Conflicts)
				}
			}
			e := team.In(0, memory.OriginOwner)
			open, _ := conflicts(t, e)
			link := open.Conflicts[0].Ref
			if _, err := team.In(2, memory.OriginOwner).Resolve(t.Context(), keep("new")(link)); err == nil {
				t.Error("a member who keeps nothing decided what the keepers decided")
			}
			if _, err := e.Resolve(t.Context(), api.ResolveRequest{Ref: link, Keep: tt.then}); err != nil {
				t.Fatal(err)
			}
			team.Settle(t)
			for i := range team.All {
				e := team.In(i, memory.OriginOwner)
				now := currentIn(t, e)
				_, hasOld := now[old]
				_, hasNew := now[newer]
				if hasOld != (tt.then != "new") || hasNew != (tt.then != "old") {
					t.Errorf("decided, store %d gives the old %v, the new %v, want %s", i, hasOld, hasNew, tt.then)
				}
				if open, _ := conflicts(t, e); len(open.Conflicts)+len(open.Forks) > 0 {
					t.Errorf("decided, store %d has conflicts %+v", i, open)
				}
				if doctor, audit := problems(t, team.All[i].Owner); doctor+notMissing(audit) != "" {
					t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
				}
			}
		})
	}
}

// What hides one of two rival revisions shows the other one.
func TestARejectedRevisionHidesNoRival(t *testing.T) {
	t.Parallel()
	team := newTeam(t, 2)
	e := team.In(0, memory.OriginOwner)
	base := add(t, e, "belief", "the ferry leaves at 7")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	var refs []string
	for i, text := range []string{"the ferry leaves at 8", "the ferry leaves at 9"} {
		refs = append(refs, revise(t, team.In(i, memory.OriginOwner), base, text))
	}
	team.Settle(t)
	if now := currentIn(t, e); now[refs[1]].Ref == "" || now[refs[0]].Ref != "" {
		t.Fatalf("current: %v, want the later revision shown and the other one beside it", now)
	}
	if _, err := e.Reject(t.Context(), api.DecideRequest{Refs: []string{refs[1]}}); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i := range team.All {
		if now := currentIn(t, team.In(i, memory.OriginOwner)); len(now) != 1 || now[refs[0]].Ref == "" {
			t.Errorf("store %d gives %v, want the other revision", i, now)
		}
		if doctor, audit := problems(t, team.All[i].Owner); doctor+notMissing(audit) != "" {
			t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
		}
	}
}

// In a shared space a person purges what they wrote, and its owner all: no one else's words go from
// one store alone, by name or by age.
func TestNobodyPurgesAnothersWordsFromOneStoreAlone(t *testing.T) {
	t.Parallel()
	team := newTeam(t, 3)
	owners := add(t, team.In(0, memory.OriginOwner), "belief", "the mill opens at 6")
	keepers := add(t, team.In(1, memory.OriginOwner), "belief", "the quarry opens at 7")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	rule := api.ForgetRunRequest{OlderThan: "1ms", Purge: true}
	for i, who := range []string{2: "a member", 1: "a keeper"} {
		if who == "" {
			continue
		}
		e := team.In(i, memory.OriginOwner)
		if _, err := e.Purge(t.Context(), api.PurgeRequest{Refs: []string{owners}}); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s purges the owner's words: %v", who, err)
		}
		rule.DryRun = true
		r, err := e.ForgetRun(t.Context(), rule)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Candidates {
			if c.Ref == owners || c.Ref == keepers && i != 1 {
				t.Errorf("by age, %s would purge %s", who, c.Headline)
			}
		}
		if len(r.Kept) != 1 || r.Kept[0].Reason != "somebody else's" || r.Kept[0].Count == 0 {
			t.Errorf("%s is shown what is kept: %+v, want what others wrote", who, r.Kept)
		}
	}
	rule.DryRun = false
	if r, err := team.In(1, memory.OriginOwner).ForgetRun(t.Context(), rule); err != nil || r.Count != 1 {
		t.Fatalf("the keeper's own: %+v, %v", r, err)
	}
	e := team.In(0, memory.OriginOwner)
	if _, err := e.Purge(t.Context(), api.PurgeRequest{Refs: []string{owners}}); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	for i, p := range team.All {
		for _, ref := range []string{owners, keepers} {
			if m := show(t, p.Owner, ref); m.Hidden != "purged" {
				t.Errorf("store %d: %s is %q, want it purged for all", i, ref, m.Hidden)
			}
		}
	}
}

// A member whose agent found a contradiction with the owner's memory does not dismiss it for all.
func TestAMemberDismissesNoDifferenceWithAnother(t *testing.T) {
	t.Parallel()
	team := newTeam(t, 2)
	add(t, team.In(0, memory.OriginOwner), "belief", "The rate limit of the vendor is 100 requests")
	team.Settle(t)
	add(t, team.In(1, memory.OriginOwner), "belief", "The rate limit of the vendor is 300 requests")
	team.Settle(t)
	e := team.In(1, memory.OriginOwner)
	open, _ := conflicts(t, e)
	if len(open.Conflicts) != 1 {
		t.Fatalf("%d conflicts, want one", len(open.Conflicts))
	}
	for _, in := range []api.ResolveRequest{{Dismiss: true}, {Keep: "both"}} {
		in.Ref = open.Conflicts[0].Ref
		if _, err := e.Resolve(t.Context(), in); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("a member resolves %+v: %v", in, err)
		}
	}
	in := api.ResolveRequest{Ref: open.Conflicts[0].Ref, Dismiss: true}
	if _, err := team.In(0, memory.OriginOwner).Resolve(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	team.Settle(t)
	if open, _ = conflicts(t, e); len(open.Conflicts) != 0 {
		t.Errorf("the owner dismissed it, and the member is still asked: %+v", open.Conflicts)
	}
}

// A dismissed keeper who has not synced goes on deciding: after the sync that decides nothing, in
// their own store as in all others. What they decided before holds.
func TestADismissedKeeperHasNoStateOfTheirOwn(t *testing.T) {
	t.Parallel()
	team := newTeam(t, 2)
	owner, keeper := team.In(0, memory.OriginOwner), team.In(1, memory.OriginOwner)
	before, after := add(t, owner, "belief", "the mill opens at 7"), add(t, owner, "belief", "the ferry leaves at 9")
	team.Settle(t)
	team.Keeper(t, 1)
	team.Settle(t)
	rejects := func(ref string) {
		t.Helper()
		if _, err := keeper.Reject(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
			t.Fatal(err)
		}
	}
	rejects(before)
	team.Settle(t)
	if _, err := owner.DismissKeeper(t.Context(), team.Space, team.All[1].Principal()); err != nil {
		t.Fatal(err)
	}
	rejects(after)
	team.Settle(t)
	for i := range team.All {
		now := currentIn(t, team.In(i, memory.OriginOwner))
		if now[before].Ref != "" || now[after].Ref == "" {
			t.Errorf("store %d gives %v, want what was rejected before the dismissal gone, and the other one", i, now)
		}
		if doctor, audit := problems(t, team.All[i].Owner); doctor+notMissing(audit) != "" {
			t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
		}
	}
}
