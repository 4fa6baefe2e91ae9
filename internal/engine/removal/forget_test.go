package removal_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
)

// forgets runs a cycle and names what it forgot.
func forgets(t testing.TB, e *engine.Engine, in api.ForgetRunRequest) []string {
	t.Helper()
	r, err := e.ForgetRun(t.Context(), in)
	if err != nil {
		t.Fatalf("forget run %+v: %v", in, err)
	}
	out := []string{}
	for _, c := range r.Candidates {
		out = append(out, c.Ref)
	}
	if r.Count != len(out) {
		t.Errorf("count %d, but %d are named", r.Count, len(out))
	}
	return out
}

func wantSame(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d %v, want %d %v", what, len(got), shortened(got), len(want), shortened(want))
	}
}

// What no one used for long goes, and nothing else: not the new, not identity, not
// constraints, not what is protected, hidden or what a person approved.
func TestForgetRunTakesWhatWasNotUsed(t *testing.T) {
	p := newPeople(t)
	weak := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the kettle is blue"}})
	raw := capture(t, p.Owner, "the kettle whistles")
	add(t, p.Owner, "value", "honesty")
	add(t, p.Owner, "drive", "curiosity")
	write(
		t, p.Owner,
		api.AddRequest{Draft: api.Draft{Kind: "note", Type: "constraint", Text: "never boil the kettle dry"}},
	)
	kept := add(t, p.Owner, "belief", "the kettle is old")
	if _, err := p.Owner.Protect(t.Context(), api.ForgetRequest{Refs: []string{kept}}); err != nil {
		t.Fatal(err)
	}
	approved := add(t, p.Owner, "belief", "the kettle works")
	approve(t, p.Owner, approved)
	gone := add(t, p.Owner, "belief", "the kettle leaks")
	reject(t, p.Owner, "", gone)
	old := add(t, p.Owner, "belief", "the kettle is here")
	revised := revise(t, p.Owner, old, "the kettle is there")
	if got := forgets(t, p.Owner, api.ForgetRunRequest{}); len(got) > 0 {
		t.Errorf("at once: %v, want nothing", shortened(got))
	}
	p.Ahead(91 * day)
	add(t, p.Owner, "belief", "the kettle is new")

	r, err := p.Owner.ForgetRun(t.Context(), api.ForgetRunRequest{DryRun: true})
	if err != nil || r.Count != 3 || len(r.Claims) > 0 {
		t.Fatalf("dry run: %+v, %v, want 3 and no claim", r, err)
	}
	reasons := []string{}
	for _, k := range r.Kept {
		reasons = append(reasons, fmt.Sprint(k.Count, " ", k.Reason))
	}
	if got, want := strings.Join(reasons, "; "),
		"1 a constraint; 2 a value or a drive; 1 approved; 1 protected"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	c := r.Candidates[0]
	if c.Formula != "0.80 × ln(1+1) / (91.0/30 + 1) = 0.137" || c.TimesAccessed != 1 || c.HalfLifeDays != 30 {
		t.Errorf("the terms are %+v", c)
	}
	if n := len(live(t, p.Owner)); n != 9 {
		t.Errorf("%d are live after a dry run, want 9", n)
	}
	wantSame(t, "90 days later", forgets(t, p.Owner, api.ForgetRunRequest{}), weak, raw, revised)
	wantSame(t, "once more", forgets(t, p.Owner, api.ForgetRunRequest{}))
	wantSame(t, "the approved too", forgets(t, p.Owner, api.ForgetRunRequest{IncludeApproved: true}), approved)
	if m := show(t, p.Owner, weak); m.Hidden != "forgotten" || m.Headline != "the kettle is blue" {
		t.Errorf("%+v, want it forgotten and readable", m.Memory)
	}
	wantRefs(t, "search", search(t, p.Owner, api.SearchRequest{Query: "kettle blue whistles", Kind: "note"}),
		refs(search(t, p.Owner, api.SearchRequest{Query: "never boil"}))[0])
	tr, err := p.Owner.Trace(t.Context(), api.TraceRequest{Ref: raw})
	if err != nil || tr.Memory.Hidden != "forgotten" {
		t.Errorf("trace: %+v, %v, want a tombstone", tr.Memory, err)
	}
}

// What a live record rests on alone stays; what stands on two loses the weaker.
// Once nothing rests on it, it goes in the same run.
func TestForgetRunKeepsWhatIsRestedOn(t *testing.T) {
	p := newPeople(t)
	carries := promote(t, p.Owner, "the harbour was painted", capture(t, p.Owner, "they paint the harbour"))
	belief := consolidate(t, p.Owner, "the harbour is red", carries)
	approve(t, p.Owner, belief)
	strong, weaker := add(t, p.Owner, "note", "gulls shout"), write(t, p.Owner, api.AddRequest{
		Draft: api.Draft{Kind: "note", Text: "gulls steal"}, Meta: api.Meta{Confidence: new(float64)}})
	gulls := consolidate(t, p.Owner, "gulls are loud thieves", strong, weaker)
	approve(t, p.Owner, gulls)
	words := capture(t, p.Owner, "the bell rang")
	bell := promote(t, p.Owner, "a bell", words)
	ring := consolidate(t, p.Owner, "bells ring", bell)
	old := consolidate(
		t, p.Owner, "the quay is long",
		promote(t, p.Owner, "walked the quay", capture(t, p.Owner, "a long quay")),
	)
	head := revise(t, p.Owner, old, "the quay is very long") // rests on what the old one did
	approve(t, p.Owner, head)
	p.Ahead(200 * day)
	wantSame(t, "forgotten", forgets(t, p.Owner, api.ForgetRunRequest{}), weaker, ring, bell, words)
	wantSame(t, "again", forgets(t, p.Owner, api.ForgetRunRequest{}))
	r, err := p.Owner.ForgetCandidates(t.Context(), api.ForgetRunRequest{})
	if err != nil || !slices.Contains(r.Kept, api.ForgetKept{Reason: "something rests on it alone", Count: 5}) {
		t.Errorf("kept %+v, %v, want 5 that something rests on alone", r.Kept, err)
	}
}

// Showing, tracing, citing and relying on a memory are accesses; finding, listing
// and packing it are none.
func TestWhatIsAnAccess(t *testing.T) {
	p := newPeople(t)
	ref := add(t, p.Owner, "note", "the lighthouse blinks twice")
	times := func() int {
		r, err := p.Owner.ForgetCandidates(t.Context(), api.ForgetRunRequest{Threshold: new(9.0), MinAge: "0d", Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Candidates {
			if c.Ref == ref {
				return c.TimesAccessed
			}
		}
		t.Fatal("it is no candidate")
		return 0
	}
	ctx := t.Context()
	for _, tt := range []struct {
		what string
		do   func() error
		want int
	}{
		{"creation", func() error { return nil }, 1},
		{"search", func() error { _, err := p.Owner.Search(ctx, api.SearchRequest{Query: "lighthouse"}); return err }, 1},
		{"list", func() error { _, err := p.Owner.List(ctx, api.ListRequest{}); return err }, 1},
		{"recent", func() error { _, err := p.Owner.Recent(ctx, api.RecentRequest{}); return err }, 1},
		{"a pack", func() error { _, err := p.Owner.Context(ctx, api.ContextRequest{Query: "lighthouse"}); return err }, 1},
		{"load", func() error { _, err := p.Owner.Load(ctx, api.LoadRequest{}); return err }, 1},
		{"show", func() error { _, err := p.Owner.Show(ctx, api.RefRequest{Ref: ref}); return err }, 2},
		{"trace", func() error { _, err := p.Owner.Trace(ctx, api.TraceRequest{Ref: ref}); return err }, 3},
		{"used", func() error { _, err := p.Owner.Used(ctx, api.UsedRequest{Refs: []string{ref}}); return err }, 4},
		{"candidates", func() error { return nil }, 4},
	} {
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		if got := times(); got != tt.want {
			t.Errorf("after %s: %d accesses, want %d", tt.what, got, tt.want)
		}
	}
	if cited := consolidate(t, p.Owner, "lighthouses blink", ref); cited != "" {
		r, err := p.Owner.Used(ctx, api.UsedRequest{Refs: []string{ref}})
		if err != nil || r.Memories[0].TimesAccessed != 6 {
			t.Errorf("cited and used: %+v, %v, want 6", r, err)
		}
	}
	p.Ahead(100 * day)
	if _, err := p.Owner.Used(ctx, api.UsedRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	p.Ahead(89 * day)
	if got := forgets(t, p.Owner, api.ForgetRunRequest{Threshold: new(9.0)}); slices.Contains(got, ref) {
		t.Error("used 89 days ago, and forgotten")
	}
}

// An agent forgets what agents wrote, and nothing that the owner decided about.
func TestWhatAnAgentMayForget(t *testing.T) {
	p := newPeople(t)
	owners, agents := add(t, p.Owner, "note", "mine"), add(t, p.Agent, "note", "its")
	back, safe := add(t, p.Agent, "note", "the owner wants it"), add(t, p.Agent, "note", "the owner protects it")
	one := func(refs ...string) api.ForgetRequest { return api.ForgetRequest{Refs: refs} }
	if _, err := p.Agent.Forget(t.Context(), one(owners)); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("the owner's: %v, want it forbidden", err)
	}
	for _, err := range []error{
		enginetest.Do(p.Agent.Forget(t.Context(), one(back))), enginetest.Do(p.Owner.Recover(t.Context(), one(back))),
		enginetest.Do(p.Owner.Protect(t.Context(), one(safe))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for what, err := range map[string]error{
		"what the owner brought back": enginetest.Do(p.Agent.Forget(t.Context(), one(back))),
		"the owner's protection":      enginetest.Do(p.Agent.Unprotect(t.Context(), one(safe))),
	} {
		if !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: %v, want it forbidden", what, err)
		}
	}
	if err := enginetest.Do(p.Agent.Forget(t.Context(), one(safe))); !errors.Is(err, api.ErrConflict) {
		t.Errorf("what is protected: %v, want a conflict", err)
	}
	p.Ahead(400 * day)
	wantSame(t, "the agent's run", forgets(t, p.Agent, api.ForgetRunRequest{}), agents)
	wantSame(t, "again", forgets(t, p.Agent, api.ForgetRunRequest{}))
	wantSame(t, "the owner's run", forgets(t, p.Owner, api.ForgetRunRequest{}), owners, back)
}

// Forgetting, listing, bringing back and protecting one, also while the clock
// stands still.
func TestForgetOneAndRecover(t *testing.T) {
	p := newPeople(t)
	p.Stop()
	note := add(t, p.Owner, "note", "the gate squeaks")
	belief := consolidate(t, p.Owner, "gates squeak", note)
	one := api.ForgetRequest{Refs: []string{note}, Reason: "it was oiled"}
	for range 3 {
		r, err := p.Owner.Forget(t.Context(), one)
		if err != nil || r.Memories[0].Hidden != "forgotten" || r.Claim == "" || !strings.Contains(r.Hint, "1 record") {
			t.Fatalf("forget: %+v, %v", r, err)
		}
		wantSame(t, "live", live(t, p.Owner), belief)
		if r, err = p.Owner.Forget(t.Context(), one); err != nil || r.Claim != "" {
			t.Errorf("forget twice: %+v, %v, want no claim", r, err)
		}
		l, err := p.Owner.ForgetList(t.Context(), api.LimitRequest{})
		if err != nil || len(l.Forgotten) != 1 || l.Forgotten[0].Ref != note || l.Forgotten[0].Reason != "it was oiled" ||
			l.Forgotten[0].ForgottenAt == "" {
			t.Errorf("list: %+v, %v", l, err)
		}
		if r, err = p.Owner.Recover(t.Context(), one); err != nil || r.Memories[0].Hidden != "" {
			t.Fatalf("recover: %+v, %v", r, err)
		}
	}
	for _, err := range []error{
		enginetest.Do(p.Owner.Protect(t.Context(), one)), enginetest.Do(p.Owner.Unprotect(t.Context(), one)),
		enginetest.Do(p.Owner.Protect(t.Context(), one)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := enginetest.Do(p.Owner.Forget(t.Context(), one)); !errors.Is(err, api.ErrConflict) {
		t.Errorf("forget what is protected: %v, want a conflict", err)
	}
	for what, err := range map[string]error{
		"nothing":     enginetest.Do(p.Owner.Forget(t.Context(), api.ForgetRequest{})),
		"a threshold": enginetest.Do(p.Owner.ForgetRun(t.Context(), api.ForgetRunRequest{Threshold: new(-1.0)})),
		"an age":      enginetest.Do(p.Owner.ForgetRun(t.Context(), api.ForgetRunRequest{MinAge: "soon"})),
		"a half-life": enginetest.Do(p.Owner.ForgetRun(t.Context(), api.ForgetRunRequest{HalfLife: "0d"})),
	} {
		if !isInvalid(err) {
			t.Errorf("%s: %v, want it invalid", what, err)
		}
	}
}

// stand reports whether a memory rests on something among those that are live: what
// was revised stands for what it rested on.
func stand(from map[string][]string, old, live map[string]bool, ref string) bool {
	return slices.ContainsFunc(from[ref], func(s string) bool { return live[s] || old[s] && stand(from, old, live, s) })
}

func setOf(refs []string) map[string]bool {
	out := make(map[string]bool)
	for _, ref := range refs {
		out[ref] = true
	}
	return out
}

// A rule goes by age alone, however often something was used. It takes what is forgotten and superseded with it when
// it erases, and keeps what a person approved or protects, and what somebody else wrote.
func TestARuleGoesByAge(t *testing.T) {
	p := newPeople(t)
	old := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the kettle is blue"}})
	raw := capture(t, p.Owner, "the kettle whistles")
	hidden := add(t, p.Owner, "belief", "the kettle was here")
	if _, err := p.Owner.Forget(t.Context(), api.ForgetRequest{Refs: []string{hidden}}); err != nil {
		t.Fatal(err)
	}
	first := add(t, p.Owner, "belief", "the kettle is there")
	revised := revise(t, p.Owner, first, "the kettle is in the kitchen")
	approved := add(t, p.Owner, "belief", "the kettle works")
	approve(t, p.Owner, approved)
	kept := add(t, p.Owner, "belief", "the kettle is old")
	if _, err := p.Owner.Protect(t.Context(), api.ForgetRequest{Refs: []string{kept}}); err != nil {
		t.Fatal(err)
	}
	p.Ahead(366 * day)
	if _, err := p.Owner.Used(t.Context(), api.UsedRequest{Refs: []string{old, raw}}); err != nil {
		t.Fatal(err)
	}
	young := add(t, p.Owner, "belief", "the kettle is new")
	rule := api.ForgetRunRequest{OlderThan: "365d"}
	rule.DryRun = true
	wantSame(t, "a preview", forgets(t, p.Owner, rule), old, raw, revised)
	rule.Purge = true
	wantSame(t, "a preview of erasing", forgets(t, p.Owner, rule), old, raw, hidden, first, revised)
	rule.DryRun = false
	if _, err := p.Agent.ForgetRun(t.Context(), rule); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent erases by a rule: %v", err)
	}
	r, err := p.Owner.ForgetRun(t.Context(), rule)
	if err != nil || r.Count != 5 || !r.Purged || !r.ByAge || len(r.Claims) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, ref := range []string{old, raw, hidden, first, revised} {
		if m := show(t, p.Owner, ref); m.Hidden != "purged" || m.Headline == "the kettle is blue" {
			t.Errorf("%s: %+v, want it purged", ref, m.Memory)
		}
	}
	for _, ref := range []string{approved, kept, young} {
		if m := show(t, p.Owner, ref); m.Hidden != "" {
			t.Errorf("%s is %s", ref, m.Hidden)
		}
	}
	wantSame(t, "once more", forgets(t, p.Owner, rule))
	rule.IncludeApproved = true
	wantSame(t, "the approved too", forgets(t, p.Owner, rule), approved)
	half := 0.3
	for what, in := range map[string]api.ForgetRunRequest{
		"an age of nothing": {OlderThan: "0d"}, "no age": {OlderThan: "soon"}, "erasing without an age": {Purge: true},
		"two rules": {OlderThan: "365d", Threshold: &half},
	} {
		if _, err := p.Owner.ForgetRun(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%s: %v, want that it is refused", what, err)
		}
	}
}

// What a person approved is not hidden for good because its revision goes by age: both are kept, or
// both go.
func TestARuleKeepsTheRevisionOfWhatWasApproved(t *testing.T) {
	p := newPeople(t)
	first := add(t, p.Owner, "belief", "the kettle is there")
	approve(t, p.Owner, first)
	revised := revise(t, p.Owner, first, "the kettle is in the kitchen")
	again := revise(t, p.Owner, revised, "the kettle is in the cellar")
	p.Ahead(366 * day)
	rule := api.ForgetRunRequest{OlderThan: "365d", Purge: true, DryRun: true}
	wantSame(t, "without the approved", forgets(t, p.Owner, rule))
	rule.IncludeApproved = true
	wantSame(t, "with the approved", forgets(t, p.Owner, rule), first, revised, again)
}
