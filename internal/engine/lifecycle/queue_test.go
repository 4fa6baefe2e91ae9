package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// turnOf captures a turn of a conversation.
func turnOf(t *testing.T, e *engine.Engine, session, speaker, text string) string {
	t.Helper()
	r, err := e.Capture(t.Context(), api.CaptureRequest{
		Text: text, Speaker: speaker, Event: "turn", Meta: api.Meta{Session: session},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Ref
}

// queue reads what waits, by ref.
func queue(t *testing.T, e *engine.Engine, in engine.QueueRequest) (list []engine.QueueItem) {
	t.Helper()
	r, err := e.Queue(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if !in.All && len(in.Refs) == 0 {
		sameGroups(t, e, r.Items)
	}
	return r.Items
}

// sameGroups holds groups without what stands behind each memory against those of the whole list.
func sameGroups(t *testing.T, e *engine.Engine, list []engine.QueueItem) {
	t.Helper()
	const shown, each = 2, 1
	g, err := e.QueueGroups(t.Context(), 500, shown, each)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	count, first := make(map[string]int), make(map[string]string)
	for _, it := range list {
		if count[it.From.Key]++; count[it.From.Key] == 1 {
			keys, first[it.From.Key] = append(keys, it.From.Key), it.Ref
		}
	}
	if g.Count != len(list) || len(g.Groups) != min(shown, len(keys)) || g.Others != max(0, len(keys)-shown) {
		t.Errorf("%d memories in %d groups and %d others, want %d in %d", g.Count, len(g.Groups), g.Others,
			len(list), len(keys))
	}
	for i, one := range g.Groups {
		if key := one.From.Key; key != keys[i] || one.Count != count[key] || len(one.First) != each ||
			one.First[0].Ref != first[key] {
			t.Errorf("group %d is %+v of %d, want %s of %d", i, one.From, one.Count, keys[i], count[keys[i]])
		}
	}
}

// What waits is in one queue with the words that it comes from, however many memories lie between, and has the key
// of its conversation.
func TestQueueHasTheWordsBehind(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "strict" })
	one := turnOf(t, p.Agent, "monday", "Dana", "the harbour was painted red")
	two := turnOf(t, p.Agent, "monday", "Sam", "it was blue")
	other := turnOf(t, p.Agent, "friday", "Mira", "the quay is new")
	first, second := promote(t, p.Agent, "painting the harbour", one), promote(t, p.Agent, "it had been blue", two)
	above, err := p.Agent.Consolidate(t.Context(), api.ConsolidateRequest{
		From: []string{first, second}, Draft: api.Draft{Kind: "belief", Text: "the harbour changes its colour"},
	})
	if err != nil {
		t.Fatal(err)
	}
	quay := promote(t, p.Agent, "a new quay", other)
	list := queue(t, p.Owner, engine.QueueRequest{})
	refs := make([]string, len(list))
	for i, it := range list {
		refs[i] = it.Ref
	}
	if want := []string{first, second, above.Ref, quay}; !slices.Equal(refs, want) {
		t.Fatalf("%v wait, want %v", shortened(refs), shortened(want))
	}
	if w := list[2].Words; len(w) != 2 || w[0].Headline != "the harbour was painted red" || w[0].Speaker != "Dana" ||
		w[1].Ref != two {
		t.Errorf("behind the conclusion stand %+v", w)
	}
	if list[0].From.How != "session" || list[0].From.Name != "monday" || list[0].From.Key != list[2].From.Key ||
		list[0].From.Key == list[3].From.Key || list[0].Tag == "" {
		t.Errorf("from %+v, %+v and %+v", list[0].From, list[2].From, list[3].From)
	}
	if r, err := p.Owner.Queue(t.Context(), engine.QueueRequest{Limit: 2}); err != nil || len(r.Items) != 2 || !r.More {
		t.Errorf("two of four: %d, more %v, %v", len(r.Items), r.More, err)
	}
	// those that are named come whether they wait or not, as they are asked for; what is not here is left out
	approve(t, p.Owner, quay)
	gone := "belief:" + strings.Repeat("0", 64)
	named := queue(t, p.Owner, engine.QueueRequest{Refs: []string{quay, gone, first}})
	if len(named) != 2 || named[0].Ref != quay || named[0].Words[0].Speaker != "Mira" || named[1].Ref != first {
		t.Errorf("named are %+v, want %s and %s", named, quay, first)
	}
	_, err = p.Owner.Queue(t.Context(), engine.QueueRequest{Refs: make([]string, 501)})
	if !isInvalid(err) {
		t.Errorf("501 names: %v, want it invalid", err)
	}
	for _, n := range []int{-1, 501} {
		if _, err := p.Owner.Queue(t.Context(), engine.QueueRequest{Limit: n}); !isInvalid(err) {
			t.Errorf("limit %d: %v, want it invalid", n, err)
		}
	}
}

// What directs, what would replace a decided memory, and what is too long to stand in a list are decided by themselves.
func TestQueueOneByOne(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "strict" })
	old := add(t, p.Owner, "belief", "the harbour is red")
	approve(t, p.Owner, old)
	mine := add(t, p.Agent, "belief", "the quay is grey")
	want := map[string]bool{
		add(t, p.Agent, "belief", "gulls are loud"):       false,
		add(t, p.Agent, "note", strings.Repeat("x ", 10)): false,
		add(t, p.Agent, "value", "quiet"):                 true,
		add(t, p.Agent, "drive", "growth"):                true,
		add(t, p.Agent, "playbook", "paint it"):           true,
		revise(t, p.Agent, mine, "the quay is grey now"):  false,
	}
	w, err := p.Agent.Revise(t.Context(), api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "the harbour is blue"}})
	if err != nil {
		t.Fatal(err)
	}
	want[w.Ref] = true
	long, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{
		Kind: "note", Text: strings.Repeat("words of many ", 9000),
	}})
	if err == nil {
		want[long.Ref] = true
	}
	for _, it := range queue(t, p.Owner, engine.QueueRequest{}) {
		if alone, known := want[it.Ref]; !known || it.OneByOne != alone {
			t.Errorf("%s %s: by itself %v, want %v", it.Ref[:12], it.Headline, it.OneByOne, alone)
		}
		delete(want, it.Ref)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// Around a memory stand two turns before and after those that it comes from, what it would replace, and no turn of
// another conversation.
func TestAroundAMemory(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = "strict" })
	var turns []string
	for i := range 12 {
		turns = append(turns, turnOf(t, p.Agent, "monday", "Dana", fmt.Sprintf("turn %d of monday", i)))
		turnOf(t, p.Agent, "friday", "Mira", fmt.Sprintf("turn %d of friday", i))
	}
	ref := promote(t, p.Agent, "what was said", turns[4], turns[10])
	a, err := p.Owner.Around(t.Context(), engine.AroundRequest{Ref: ref})
	if err != nil || len(a.Talks) != 1 {
		t.Fatalf("%v: %+v", err, a)
	}
	var got []string
	for _, u := range a.Talks[0].Turns {
		s := strings.TrimSuffix(strings.TrimPrefix(u.Text, "turn "), " of monday")
		if u.Gap {
			s = "…" + s
		}
		if u.Behind {
			s += "!"
		}
		got = append(got, s)
	}
	if want := "…2 3 4! 5 6 …8 9 10! 11"; strings.Join(got, " ") != want || a.Talks[0].Later {
		t.Errorf("turns %v, want %s", got, want)
	}
	old := add(t, p.Owner, "belief", "the harbour is red")
	approve(t, p.Owner, old)
	w, err := p.Agent.Revise(t.Context(), api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "the harbour is blue"}})
	if err != nil {
		t.Fatal(err)
	}
	a, err = p.Owner.Around(t.Context(), engine.AroundRequest{Ref: w.Ref})
	if err != nil || len(a.Older) != 1 || a.Older[0].Ref != old || a.Older[0].Relation != "update" ||
		a.Older[0].Review != "approved" || a.Older[0].Text != "the harbour is red" {
		t.Errorf("%v: it would replace %+v", err, a.Older)
	}
	if _, err := p.Owner.Around(t.Context(), engine.AroundRequest{Ref: "belief:ffff"}); err == nil {
		t.Error("what is not here has something around it")
	}
}
