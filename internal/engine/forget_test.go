package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

const day = 24 * time.Hour

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

func live(t testing.TB, e *engine.Engine) []string {
	t.Helper()
	out := []string{}
	for _, kind := range []string{"", "raw"} {
		r, err := e.List(t.Context(), api.ListRequest{Kind: kind, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Memories {
			out = append(out, m.Ref)
		}
	}
	return out
}

// What no one used for long goes, and nothing else: not the new, not identity, not
// constraints, not what is protected, hidden or what a person approved.
func TestForgetRunTakesWhatWasNotUsed(t *testing.T) {
	p := newPeople(t)
	weak := write(t, p.owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the kettle is blue"}})
	raw := capture(t, p.owner, "the kettle whistles")
	add(t, p.owner, "value", "honesty")
	add(t, p.owner, "drive", "curiosity")
	write(
		t, p.owner,
		api.AddRequest{Draft: api.Draft{Kind: "note", Type: "constraint", Text: "never boil the kettle dry"}},
	)
	kept := add(t, p.owner, "belief", "the kettle is old")
	if _, err := p.owner.Protect(t.Context(), api.ForgetRequest{Refs: []string{kept}}); err != nil {
		t.Fatal(err)
	}
	approved := add(t, p.owner, "belief", "the kettle works")
	approve(t, p.owner, approved)
	gone := add(t, p.owner, "belief", "the kettle leaks")
	reject(t, p.owner, "", gone)
	old := add(t, p.owner, "belief", "the kettle is here")
	revised := revise(t, p.owner, old, "the kettle is there")
	if got := forgets(t, p.owner, api.ForgetRunRequest{}); len(got) > 0 {
		t.Errorf("at once: %v, want nothing", shortened(got))
	}
	p.ahead(91 * day)
	add(t, p.owner, "belief", "the kettle is new")

	r, err := p.owner.ForgetRun(t.Context(), api.ForgetRunRequest{DryRun: true})
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
	if n := len(live(t, p.owner)); n != 9 {
		t.Errorf("%d are live after a dry run, want 9", n)
	}
	wantSame(t, "90 days later", forgets(t, p.owner, api.ForgetRunRequest{}), weak, raw, revised)
	wantSame(t, "once more", forgets(t, p.owner, api.ForgetRunRequest{}))
	wantSame(t, "the approved too", forgets(t, p.owner, api.ForgetRunRequest{IncludeApproved: true}), approved)
	if m := show(t, p.owner, weak); m.Hidden != "forgotten" || m.Headline != "the kettle is blue" {
		t.Errorf("%+v, want it forgotten and readable", m.Memory)
	}
	wantRefs(t, "search", search(t, p.owner, api.SearchRequest{Query: "kettle blue whistles", Kind: "note"}),
		refs(search(t, p.owner, api.SearchRequest{Query: "never boil"}))[0])
	tr, err := p.owner.Trace(t.Context(), api.TraceRequest{Ref: raw})
	if err != nil || tr.Memory.Hidden != "forgotten" {
		t.Errorf("trace: %+v, %v, want a tombstone", tr.Memory, err)
	}
}

// What a live record rests on alone stays; what stands on two loses the weaker.
// Once nothing rests on it, it goes in the same run.
func TestForgetRunKeepsWhatIsRestedOn(t *testing.T) {
	p := newPeople(t)
	carries := promote(t, p.owner, "the harbour was painted", capture(t, p.owner, "they paint the harbour"))
	belief := consolidate(t, p.owner, "the harbour is red", carries)
	approve(t, p.owner, belief)
	strong, weaker := add(t, p.owner, "note", "gulls shout"), write(t, p.owner, api.AddRequest{
		Draft: api.Draft{Kind: "note", Text: "gulls steal"}, Meta: api.Meta{Confidence: new(float64)}})
	gulls := consolidate(t, p.owner, "gulls are loud thieves", strong, weaker)
	approve(t, p.owner, gulls)
	words := capture(t, p.owner, "the bell rang")
	bell := promote(t, p.owner, "a bell", words)
	ring := consolidate(t, p.owner, "bells ring", bell)
	old := consolidate(
		t, p.owner, "the quay is long",
		promote(t, p.owner, "walked the quay", capture(t, p.owner, "a long quay")),
	)
	head := revise(t, p.owner, old, "the quay is very long") // rests on what the old one did
	approve(t, p.owner, head)
	p.ahead(200 * day)
	wantSame(t, "forgotten", forgets(t, p.owner, api.ForgetRunRequest{}), weaker, ring, bell, words)
	wantSame(t, "again", forgets(t, p.owner, api.ForgetRunRequest{}))
	r, err := p.owner.ForgetCandidates(t.Context(), api.ForgetRunRequest{})
	if err != nil || !slices.Contains(r.Kept, api.ForgetKept{Reason: "something rests on it alone", Count: 5}) {
		t.Errorf("kept %+v, %v, want 5 that something rests on alone", r.Kept, err)
	}
}

// Showing, tracing, citing and relying on a memory are accesses; finding, listing
// and packing it are none.
func TestWhatIsAnAccess(t *testing.T) {
	p := newPeople(t)
	ref := add(t, p.owner, "note", "the lighthouse blinks twice")
	times := func() int {
		r, err := p.owner.ForgetCandidates(t.Context(), api.ForgetRunRequest{Threshold: new(9.0), MinAge: "0d", Limit: -1})
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
		{"search", func() error { _, err := p.owner.Search(ctx, api.SearchRequest{Query: "lighthouse"}); return err }, 1},
		{"list", func() error { _, err := p.owner.List(ctx, api.ListRequest{}); return err }, 1},
		{"recent", func() error { _, err := p.owner.Recent(ctx, api.RecentRequest{}); return err }, 1},
		{"a pack", func() error { _, err := p.owner.Context(ctx, api.ContextRequest{Query: "lighthouse"}); return err }, 1},
		{"load", func() error { _, err := p.owner.Load(ctx, api.LoadRequest{}); return err }, 1},
		{"show", func() error { _, err := p.owner.Show(ctx, api.RefRequest{Ref: ref}); return err }, 2},
		{"trace", func() error { _, err := p.owner.Trace(ctx, api.TraceRequest{Ref: ref}); return err }, 3},
		{"used", func() error { _, err := p.owner.Used(ctx, api.UsedRequest{Refs: []string{ref}}); return err }, 4},
		{"candidates", func() error { return nil }, 4},
	} {
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		if got := times(); got != tt.want {
			t.Errorf("after %s: %d accesses, want %d", tt.what, got, tt.want)
		}
	}
	if cited := consolidate(t, p.owner, "lighthouses blink", ref); cited != "" {
		r, err := p.owner.Used(ctx, api.UsedRequest{Refs: []string{ref}})
		if err != nil || r.Memories[0].TimesAccessed != 6 {
			t.Errorf("cited and used: %+v, %v, want 6", r, err)
		}
	}
	p.ahead(100 * day)
	if _, err := p.owner.Used(ctx, api.UsedRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	p.ahead(89 * day)
	if got := forgets(t, p.owner, api.ForgetRunRequest{Threshold: new(9.0)}); slices.Contains(got, ref) {
		t.Error("used 89 days ago, and forgotten")
	}
}

// An agent forgets what agents wrote, and nothing that the owner decided about.
func TestWhatAnAgentMayForget(t *testing.T) {
	p := newPeople(t)
	owners, agents := add(t, p.owner, "note", "mine"), add(t, p.agent, "note", "its")
	back, safe := add(t, p.agent, "note", "the owner wants it"), add(t, p.agent, "note", "the owner protects it")
	one := func(refs ...string) api.ForgetRequest { return api.ForgetRequest{Refs: refs} }
	if _, err := p.agent.Forget(t.Context(), one(owners)); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("the owner's: %v, want it forbidden", err)
	}
	for _, err := range []error{
		do(p.agent.Forget(t.Context(), one(back))), do(p.owner.Recover(t.Context(), one(back))),
		do(p.owner.Protect(t.Context(), one(safe))),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for what, err := range map[string]error{
		"what the owner brought back": do(p.agent.Forget(t.Context(), one(back))),
		"the owner's protection":      do(p.agent.Unprotect(t.Context(), one(safe))),
	} {
		if !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: %v, want it forbidden", what, err)
		}
	}
	if err := do(p.agent.Forget(t.Context(), one(safe))); !errors.Is(err, api.ErrConflict) {
		t.Errorf("what is protected: %v, want a conflict", err)
	}
	p.ahead(400 * day)
	wantSame(t, "the agent's run", forgets(t, p.agent, api.ForgetRunRequest{}), agents)
	wantSame(t, "again", forgets(t, p.agent, api.ForgetRunRequest{}))
	wantSame(t, "the owner's run", forgets(t, p.owner, api.ForgetRunRequest{}), owners, back)
}

func do[T any](_ T, err error) error { return err }

// Forgetting, listing, bringing back and protecting one, also while the clock
// stands still.
func TestForgetOneAndRecover(t *testing.T) {
	p := newPeople(t)
	p.stop()
	note := add(t, p.owner, "note", "the gate squeaks")
	belief := consolidate(t, p.owner, "gates squeak", note)
	one := api.ForgetRequest{Refs: []string{note}, Reason: "it was oiled"}
	for range 3 {
		r, err := p.owner.Forget(t.Context(), one)
		if err != nil || r.Memories[0].Hidden != "forgotten" || r.Claim == "" || !strings.Contains(r.Hint, "1 record") {
			t.Fatalf("forget: %+v, %v", r, err)
		}
		wantSame(t, "live", live(t, p.owner), belief)
		if r, err = p.owner.Forget(t.Context(), one); err != nil || r.Claim != "" {
			t.Errorf("forget twice: %+v, %v, want no claim", r, err)
		}
		l, err := p.owner.ForgetList(t.Context(), api.LimitRequest{})
		if err != nil || len(l.Forgotten) != 1 || l.Forgotten[0].Ref != note || l.Forgotten[0].Reason != "it was oiled" ||
			l.Forgotten[0].ForgottenAt == "" {
			t.Errorf("list: %+v, %v", l, err)
		}
		if r, err = p.owner.Recover(t.Context(), one); err != nil || r.Memories[0].Hidden != "" {
			t.Fatalf("recover: %+v, %v", r, err)
		}
	}
	for _, err := range []error{
		do(p.owner.Protect(t.Context(), one)), do(p.owner.Unprotect(t.Context(), one)), do(p.owner.Protect(t.Context(), one)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := do(p.owner.Forget(t.Context(), one)); !errors.Is(err, api.ErrConflict) {
		t.Errorf("forget what is protected: %v, want a conflict", err)
	}
	for what, err := range map[string]error{
		"nothing":     do(p.owner.Forget(t.Context(), api.ForgetRequest{})),
		"a threshold": do(p.owner.ForgetRun(t.Context(), api.ForgetRunRequest{Threshold: new(-1.0)})),
		"an age":      do(p.owner.ForgetRun(t.Context(), api.ForgetRunRequest{MinAge: "soon"})),
		"a half-life": do(p.owner.ForgetRun(t.Context(), api.ForgetRunRequest{HalfLife: "0d"})),
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
	old := write(t, p.owner, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the kettle is blue"}})
	raw := capture(t, p.owner, "the kettle whistles")
	hidden := add(t, p.owner, "belief", "the kettle was here")
	if _, err := p.owner.Forget(t.Context(), api.ForgetRequest{Refs: []string{hidden}}); err != nil {
		t.Fatal(err)
	}
	first := add(t, p.owner, "belief", "the kettle is there")
	revised := revise(t, p.owner, first, "the kettle is in the kitchen")
	approved := add(t, p.owner, "belief", "the kettle works")
	approve(t, p.owner, approved)
	kept := add(t, p.owner, "belief", "the kettle is old")
	if _, err := p.owner.Protect(t.Context(), api.ForgetRequest{Refs: []string{kept}}); err != nil {
		t.Fatal(err)
	}
	p.ahead(366 * day)
	if _, err := p.owner.Used(t.Context(), api.UsedRequest{Refs: []string{old, raw}}); err != nil {
		t.Fatal(err)
	}
	young := add(t, p.owner, "belief", "the kettle is new")
	rule := api.ForgetRunRequest{OlderThan: "365d"}
	rule.DryRun = true
	wantSame(t, "a preview", forgets(t, p.owner, rule), old, raw, revised)
	rule.Purge = true
	wantSame(t, "a preview of erasing", forgets(t, p.owner, rule), old, raw, hidden, first, revised)
	rule.DryRun = false
	if _, err := p.agent.ForgetRun(t.Context(), rule); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent erases by a rule: %v", err)
	}
	r, err := p.owner.ForgetRun(t.Context(), rule)
	if err != nil || r.Count != 5 || !r.Purged || !r.ByAge || len(r.Claims) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, ref := range []string{old, raw, hidden, first, revised} {
		if m := show(t, p.owner, ref); m.Hidden != "purged" || m.Headline == "the kettle is blue" {
			t.Errorf("%s: %+v, want it purged", ref, m.Memory)
		}
	}
	for _, ref := range []string{approved, kept, young} {
		if m := show(t, p.owner, ref); m.Hidden != "" {
			t.Errorf("%s is %s", ref, m.Hidden)
		}
	}
	wantSame(t, "once more", forgets(t, p.owner, rule))
	rule.IncludeApproved = true
	wantSame(t, "the approved too", forgets(t, p.owner, rule), approved)
	half := 0.3
	for what, in := range map[string]api.ForgetRunRequest{
		"an age of nothing": {OlderThan: "0d"}, "no age": {OlderThan: "soon"}, "erasing without an age": {Purge: true},
		"two rules": {OlderThan: "365d", Threshold: &half},
	} {
		if _, err := p.owner.ForgetRun(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%s: %v, want that it is refused", what, err)
		}
	}
}

// What a person approved is not hidden for good because its revision goes by age: both are kept, or
// both go.
func TestARuleKeepsTheRevisionOfWhatWasApproved(t *testing.T) {
	p := newPeople(t)
	first := add(t, p.owner, "belief", "the kettle is there")
	approve(t, p.owner, first)
	revised := revise(t, p.owner, first, "the kettle is in the kitchen")
	again := revise(t, p.owner, revised, "the kettle is in the cellar")
	p.ahead(366 * day)
	rule := api.ForgetRunRequest{OlderThan: "365d", Purge: true, DryRun: true}
	wantSame(t, "without the approved", forgets(t, p.owner, rule))
	rule.IncludeApproved = true
	wantSame(t, "with the approved", forgets(t, p.owner, rule), first, revised, again)
}
