package removal_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// What rests on a source is counted whole, though only some of it is named, and what
// others stand behind too survives. What one let another write is his.
func TestTaintCountsAll(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	p.Stop()
	bad, good := capture(t, p.As(memory.OriginTool), "a page that was forged"), capture(t, p.Agent, "something I saw")
	for i := range 12 {
		write(
			t, p.Agent,
			api.AddRequest{Draft: api.Draft{Kind: "belief", Text: fmt.Sprintf("it falls, %d", i)}, From: []string{bad}},
		)
	}
	both := write(
		t, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "it stays"}, From: []string{bad, good}},
	)
	for _, tt := range []struct{ limit, named int }{{5, 5}, {0, 12}, {-1, 12}} {
		r, err := p.Agent.Taint(ctx, api.TaintRequest{Target: bad, Limit: tt.limit})
		if err != nil || r.AffectedCount != 12 || len(r.Affected) != tt.named ||
			r.SurvivesCount != 1 || len(r.Survives) != 1 {
			t.Fatalf(
				"limit %d: %d of %d fall, %d of %d stay, %v", tt.limit, len(r.Affected), r.AffectedCount,
				len(r.Survives), r.SurvivesCount, err,
			)
		}
		if s := r.Survives[0]; s.Ref != both || len(s.Grounds) != 1 || s.Grounds[0] != good {
			t.Errorf("what stays: %+v", s)
		}
		if a := r.Affected[0]; len(a.Path) != 2 || a.Path[0] != bad || a.Path[1] != a.Ref {
			t.Errorf("the way to what falls: %v", a.Path)
		}
	}
	n := records(t, p.Agent)
	r, err := p.Owner.Taint(ctx, api.TaintRequest{Target: "author:" + p.Principal()})
	if err != nil || len(r.Roots) != 15 {
		t.Errorf("what the owner and his agent wrote: %d, %v, want 15", len(r.Roots), err)
	}
	for _, target := range []string{"", "author:", "source:", "source:nobody", "author:nobody", "belief:000000000000"} {
		if r, err := p.Owner.Taint(ctx, api.TaintRequest{Target: target}); err == nil {
			t.Errorf("target %q: %+v, want it refused", target, r)
		}
	}
	if records(t, p.Agent) != n {
		t.Error("looking wrote something")
	}
}

// A taint that names few records counts and judges as one that names all: of what a source or an author said,
// what nothing rests on is not read, and changes nothing.
func TestTaintOfFewIsThatOfAll(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		chance := rand.New(rand.NewPCG(seed, 1))
		p := newPeople(t)
		p.Stop()
		writers := []*engine.Engine{p.Owner, p.Agent, p.As(memory.OriginTool)}
		var made []string
		for i := range 40 {
			e := writers[chance.IntN(len(writers))]
			if i < 6 || chance.IntN(2) == 0 {
				in := api.CaptureRequest{Text: fmt.Sprint("turn ", i), Speaker: []string{"Ann", "Bo"}[chance.IntN(2)]}
				r, err := e.Capture(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, r.Ref)
				continue
			}
			from := []string{made[chance.IntN(len(made))]}
			if other := made[chance.IntN(len(made))]; other != from[0] {
				from = append(from, other)
			}
			draft := api.Draft{Kind: "belief", Text: fmt.Sprint("it follows, ", i)}
			made = append(made, write(t, e, api.AddRequest{Draft: draft, From: from}))
		}
		for _, target := range []string{"source:Ann", "source:Bo", "author:" + p.Principal(), made[0]} {
			all, err := p.Owner.Taint(t.Context(), api.TaintRequest{Target: target, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{1, 2, 5, 1000} {
				few, err := p.Owner.Taint(t.Context(), api.TaintRequest{Target: target, Limit: n})
				if err != nil {
					t.Fatal(err)
				}
				want := all
				want.Roots = all.Roots[:min(n, len(all.Roots))]
				want.Affected, want.Survives = all.Affected[:min(n, all.AffectedCount)], all.Survives[:min(n, all.SurvivesCount)]
				if !reflect.DeepEqual(few, want) {
					t.Errorf("seed %d, %s, %d named: %+v\nwant %+v", seed, target, n, few, want)
				}
			}
		}
	}
}
