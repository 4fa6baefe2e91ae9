package lifecycle_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/tokens"
	"github.com/stemma-memory/stemma/memory"
)

func waitingIn(t testing.TB, e *engine.Engine, in api.RecentRequest) api.ListReply {
	t.Helper()
	in.Waiting = true
	r, err := e.Recent(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Prompts come in groups by session, the oldest first, each with its day and all its words while there is room.
func TestPromptsComeInGroups(t *testing.T) {
	p := newPeople(t)
	var want []string
	for i := range 12 { // two sessions take turns
		day := []string{"monday", "tuesday"}[i%2]
		want = append(want, says(t, p.Agent, day, fmt.Sprintf("Order %d goes to pier four.", i))...)
	}
	r := waitingIn(t, p.Agent, api.RecentRequest{})
	if len(r.Waiting) != 2 || r.LeftOut != 0 || r.More || r.Waiting[0].Session+r.Waiting[1].Session != "mondaytuesday" {
		t.Fatalf("%+v, want two sessions", r)
	}
	for g, group := range r.Waiting {
		for i, prompt := range group.Prompts {
			if prompt.Ref != want[2*i+g] || prompt.Text != fmt.Sprintf("Order %d goes to pier four.", 2*i+g) || prompt.At == "" {
				t.Errorf("group %d has %+v in place %d", g, prompt, i)
			}
		}
	}
	r = waitingIn(t, p.Agent, api.RecentRequest{Limit: 5})
	if r.LeftOut != 7 || !r.More || !strings.Contains(r.Hint, "7 more") {
		t.Errorf("five of twelve: %d left, %q", r.LeftOut, r.Hint)
	}
	if r := waitingIn(t, p.Agent, api.RecentRequest{Session: "tuesday", Limit: 2}); r.LeftOut != 4 || len(r.Waiting) != 1 {
		t.Errorf("two of one session: %+v", r)
	}
	const most = 100
	r = waitingIn(t, p.Agent, api.RecentRequest{Budget: most})
	spent := 0
	for _, g := range r.Waiting {
		for _, one := range g.Prompts {
			spent += tokens.Count(one.Text)
		}
	}
	if spent > most || spent == 0 || r.LeftOut == 0 {
		t.Errorf("a budget of %d: %d spent, %d left", most, spent, r.LeftOut)
	}
	for _, in := range []api.RecentRequest{
		{Waiting: true, Budget: 7}, {Waiting: true, Since: "whenever"}, {NotKept: true}, {Budget: 500},
	} {
		if _, err := p.Agent.Recent(t.Context(), in); !isInvalid(err) {
			t.Errorf("%+v: %v, want it invalid", in, err)
		}
	}
	if r := waitingIn(t, p.Agent, api.RecentRequest{Since: "1s"}); len(r.Waiting) > 1 {
		t.Errorf("of the last second: %+v", r)
	}
}

// A long prompt is given as far as there is room, says how long it is, and leaves room for others.
func TestALongPromptIsCut(t *testing.T) {
	p := newPeople(t)
	long := strings.Repeat("The harbour master counts boats. ", 200_000/33)
	all := says(t, p.Agent, "monday", long, "Paint the fence.")
	r := waitingIn(t, p.Agent, api.RecentRequest{})
	if len(r.Waiting) != 1 || len(r.Waiting[0].Prompts) != 2 {
		t.Fatalf("%d groups, %d left", len(r.Waiting), r.LeftOut)
	}
	first := r.Waiting[0].Prompts[0]
	if n := tokens.Count(first.Text); !first.Cut || first.Words != len(strings.Fields(long)) || n > 1000 || n < 500 {
		t.Errorf("cut %v, %d words, %d tokens", first.Cut, first.Words, tokens.Count(first.Text))
	}
	if second := r.Waiting[0].Prompts[1]; second.Ref != all[1] || second.Cut {
		t.Errorf("%+v", second)
	}
	if r := waitingIn(t, p.Agent, api.RecentRequest{Budget: 100}); len(r.Waiting) != 1 || r.LeftOut != 1 {
		t.Errorf("a small budget: %d groups, %d left", len(r.Waiting), r.LeftOut)
	}
	if _, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Boats are counted.", From: all}); err != nil {
		t.Fatal(err)
	}
	wantWaiting(t, "both were kept", p.Agent)
}

// A start stays exact however many prompts wait, and however many were settled before.
func TestThousandsOfPromptsWait(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	var refs []string
	const all, settled, each = 1000, 900, 100
	for i := range all / each {
		var texts []string
		for j := range each {
			texts = append(texts, fmt.Sprintf("look at item %d of list %d", j, i))
		}
		refs = append(refs, says(t, p.Agent, fmt.Sprint("s", i), texts...)...)
	}
	if got := starts(t, p.Agent)[0]; !strings.Contains(got, "1000 prompts since ") {
		t.Errorf("the start says\n%s", got)
	}
	if r := waitingIn(t, p.Agent, api.RecentRequest{}); r.LeftOut < all-50 || r.Waiting[0].Prompts[0].Ref != refs[0] {
		t.Errorf("%d left", r.LeftOut)
	}
	for part := range slices.Chunk(refs[:settled], each) {
		r, err := p.Agent.Remember(t.Context(), api.RememberRequest{NotKept: part})
		if err != nil || len(r.NotKept) != each {
			t.Fatalf("%d settled, %v", len(r.NotKept), err)
		}
	}
	if got := starts(t, p.Agent)[0]; !strings.Contains(got, "100 prompts since ") {
		t.Errorf("the start says\n%s", got)
	}
	s, err := p.Agent.Status(t.Context(), api.Nothing{})
	if err != nil || s.PromptsNotKept.Count != settled {
		t.Errorf("%+v, %v, want %d not kept", s.PromptsNotKept, err, settled)
	}
}

// Sessions at once settle and keep the same prompts: nothing fails, and nothing waits after.
func TestTenSessionsAtOnce(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	all := says(t, p.Agent, "monday", "Ferries leave from pier four.", "Thanks!", "Paint the fence.")
	var done sync.WaitGroup
	for i := range 10 {
		e := p.As(memory.OriginAgent, func(c *engine.Config) { c.Session = fmt.Sprint("s", i) })
		done.Go(func() {
			_, err := e.Remember(t.Context(), api.RememberRequest{
				Text: "Ferries leave from pier four.", From: all[:1], NotKept: all[1:],
			})
			if err != nil {
				t.Errorf("session %d: %v", i, err)
			}
		})
	}
	done.Wait()
	wantWaiting(t, "ten sessions", p.Agent)
}

// What a memory says already is not kept a second time: the prompt waits no more. What takes the place of a memory has
// the prompt as its source.
func TestKeepingWhatIsKnown(t *testing.T) {
	p := newPeople(t)
	known, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Ferries leave from pier four."})
	if err != nil {
		t.Fatal(err)
	}
	all := says(t, p.Agent, "monday", "You know where ferries leave, right?", "The limit of the account grew to 300.")
	r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Ferries leave from pier four.", From: all[:1]})
	if err != nil || len(r.Memories) > 0 || len(r.SaidAgain) != 1 || r.SaidAgain[0].Ref != known.Memories[0].Ref {
		t.Fatalf("%+v, %v", r, err)
	}
	wantWaiting(t, "it was known", p.Agent, all[1])
	old := remember(t, p.Agent, "The limit of the account is 100.").Memories[0].Ref
	r, err = p.Agent.Remember(t.Context(), api.RememberRequest{
		Text: "The limit of the account is 300.", From: all[1:], Replaces: []string{old},
	})
	if err != nil || len(r.Memories) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	m := show(t, p.Agent, r.Memories[0].Ref)
	if !slices.Contains(m.DerivedFrom, all[1]) || show(t, p.Agent, old).SupersededBy != m.Ref || m.Tier != "inferred" {
		t.Errorf("%s, derived from %v", m.Tier, shortened(m.DerivedFrom))
	}
	wantWaiting(t, "it took another's place", p.Agent)
}
