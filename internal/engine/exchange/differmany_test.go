//go:build !race

package exchange_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Of 60 random edits, with STEMMA_LONG of 300, of shared memories by five people and their agents, online and offline,
// each that differs from another is in the conflicts of all five; a keeper who owns none of it
// resolves them, and all five hold one state.
func TestEditsOfFiveThatDifferAreSeenByAllAndResolvedForAll(t *testing.T) {
	t.Parallel()
	const n = 5
	edits := 60
	if os.Getenv("STEMMA_LONG") != "" {
		edits = 300
	}
	ctx, random := t.Context(), rand.New(rand.NewPCG(19, 3))
	team := newTeam(t, n)
	subjects := []string{"the harbour", "the mill", "the orchard", "the library", "the bakery", "the quarry", "the ferry"}
	for i := range n {
		e := team.In(i, memory.OriginOwner)
		for j, s := range subjects {
			if j%n == i || j == i+n {
				add(t, e, "belief", fmt.Sprintf("%s opens at %d", s, 5+i))
			}
		}
	}
	team.Settle(t)
	team.Keeper(t, 3)
	team.Settle(t)

	voices := make([][]*engine.Engine, n)
	views := make([]*engine.Engine, n)
	for i, p := range team.All {
		voices[i] = []*engine.Engine{p.Owner, p.Agent}
		views[i] = team.In(i, memory.OriginOwner)
	}
	group := make(map[string]string) // the subject of each memory
	for ref, m := range currentIn(t, views[0]) {
		group[ref] = m.Headline[:strings.Index(m.Headline, " opens")]
	}
	made := make(map[string]bool)
	for k := range edits {
		i := random.IntN(n)
		e := voices[i][random.IntN(2)]
		var known []string
		for ref := range currentIn(t, views[i]) {
			known = append(known, ref)
		}
		slices.Sort(known)
		ref := known[random.IntN(len(known))]
		text := fmt.Sprintf("%s opens at %d, says %d for the %dth time", group[ref], 5+random.IntN(9), i, k)
		var got string
		var err error
		switch random.IntN(3) {
		case 0:
			var r api.WriteReply
			r, err = e.Revise(ctx, api.ReviseRequest{Ref: ref, Draft: api.Draft{Text: text}})
			got = r.Ref
		case 1:
			var r api.CorrectReply
			r, err = e.Correct(ctx, api.CorrectRequest{Ref: ref, Text: text})
			got = r.Ref
		default:
			var r api.RememberReply
			if r, err = e.Remember(ctx, api.RememberRequest{Text: text, Replaces: []string{ref}}); err == nil {
				got = r.Memories[0].Ref
			}
		}
		if err != nil {
			t.Fatalf("edit %d of %s by %d: %v", k, ref, i, err)
		}
		group[got], made[got] = group[ref], true
		if random.IntN(4) == 0 {
			syncs(t, team.All[random.IntN(n)])
		}
	}
	team.Settle(t)

	silent, differ := 0, 0
	for i := range n {
		_, named := conflicts(t, views[i])
		now := currentIn(t, views[i])
		count := make(map[string]int)
		for ref := range now {
			count[group[ref]]++
		}
		for ref := range made {
			m, err := views[i].Show(ctx, api.RefRequest{Ref: ref})
			if err != nil {
				t.Fatalf("store %d lacks %s: %v", i, ref, err)
			}
			_, shown := now[ref]
			fork := !shown && m.SupersededBy == "" && m.Hidden != ""
			if !fork && !(shown && count[group[ref]] > 1) {
				continue
			}
			if differ++; !named[ref] {
				silent++
				t.Errorf("store %d: %s %q (%s) differs from another and is in no conflict", i, ref[:16], m.Headline, m.Hidden)
			}
		}
	}
	if differ < edits/4 {
		t.Fatalf("only %d differences in five stores: the test shows nothing", differ)
	}
	t.Logf("%d differences in five stores, %d silent", differ, silent)

	decided := 0
	for { // what a keeper writes may differ from what others wrote meanwhile
		open, _ := conflicts(t, views[3])
		if len(open.Conflicts)+len(open.Forks) == 0 {
			team.Settle(t)
			if open, _ = conflicts(t, views[3]); len(open.Conflicts)+len(open.Forks) == 0 {
				break
			}
			for _, l := range open.Conflicts {
				t.Logf("new: %s %s | %s | %s", l.Relation, l.Reason, l.Old.Headline, l.New.Headline)
			}
		}
		if decided++; decided > edits*2 {
			t.Fatalf("%d conflicts are left", len(open.Conflicts)+len(open.Forks))
		}
		in := api.ResolveRequest{}
		switch {
		case len(open.Forks) > 0:
			in.Ref, in.Merge = open.Forks[0].Shown.Ref, open.Forks[0].Shown.Headline+", it was decided"
		default:
			in.Ref = open.Conflicts[0].Ref
			switch random.IntN(5) {
			case 0:
				in.Keep = "old"
			case 1:
				in.Merge = open.Conflicts[0].New.Headline + ", it was decided"
			case 2:
				in.Keep = "both"
			default:
				in.Keep = "new"
			}
		}
		if _, err := voices[3][0].Resolve(ctx, in); err != nil {
			t.Fatalf("resolve %+v: %v", in, err)
		}
	}
	want := currentIn(t, views[0])
	for i := range n {
		if r, _ := conflicts(t, views[i]); len(r.Conflicts)+len(r.Forks) > 0 {
			t.Errorf("store %d has %d conflicts and %d forks after all were resolved", i, len(r.Conflicts), len(r.Forks))
		}
		got := currentIn(t, views[i])
		if len(got) != len(want) {
			t.Errorf("store %d holds %d memories, want %d", i, len(got), len(want))
		}
		for ref := range want {
			if _, ok := got[ref]; !ok {
				t.Errorf("store %d: %s is not current", i, ref)
			}
		}
		if doctor, audit := problems(t, team.All[i].Owner); doctor+notMissing(audit) != "" {
			t.Errorf("store %d: doctor %q, audit %q", i, doctor, audit)
		}
	}
}
