package standing_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// The words yield their line to the memory that says them, which names them.
func TestWordingYieldsItsLine(t *testing.T) {
	for name, who := range map[string]func(*people) *engine.Engine{
		"a person": func(p *people) *engine.Engine { return p.Owner },
		"an agent": func(p *people) *engine.Engine { return p.Agent },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			r := remember(t, who(p), "Alice works at Acme.")
			m := r.Memories[0].Ref
			got := search(t, p.Agent, api.SearchRequest{Query: "Acme"})
			if !slices.Equal(refs(got), []string{m}) || !slices.Equal(got.Results[0].Wording, []string{r.Ref}) {
				t.Fatalf("found %v in the words of %v, want %s of %s", refs(got), got.Results[0].Wording, m, r.Ref)
			}
			for what, in := range map[string]api.SearchRequest{
				"kind raw": {Query: "Acme", Kind: "raw"}, "all": {Query: "Acme", All: true},
			} {
				if lineOf(search(t, p.Agent, in), r.Ref) == nil {
					t.Errorf("%s: the words are not found as they stand", what)
				}
			}
			list, err := p.Agent.List(t.Context(), api.ListRequest{Kind: "raw"})
			if err != nil || len(list.Memories) != 1 {
				t.Errorf("list of raws: %d, %v", len(list.Memories), err)
			}
		})
	}
}

// One sentence of which one memory was made is its wording in other words too; of a
// person's sentence an agent's other words do not take the line.
func TestWordingInOtherWords(t *testing.T) {
	for _, persons := range []bool{false, true} {
		p := newPeople(t)
		who := p.Agent
		if persons {
			who = p.Owner
		}
		raw := capture(t, who, "I moved to Berlin last week")
		m := write(
			t, p.Agent,
			api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "The user lives in Berlin"}, From: []string{raw}},
		)
		want := []string{m}
		if persons {
			want = append(want, raw)
		}
		wantRefs(t, "in other words", search(t, p.Agent, api.SearchRequest{Query: "Berlin"}), want...)
	}
}

// Words behind an episode or an observation are evidence, and found as they are.
func TestEvidenceKeepsItsLine(t *testing.T) {
	p := newPeople(t)
	raw := capture(t, p.Agent, "the harbour was closed by noon")
	promote(t, p.Agent, "harbour outage investigated", raw)
	other := capture(t, p.Agent, "the harbour pilot arrived late")
	write(
		t, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the harbour pilot tends to arrive late"}, From: []string{other}},
	)
	got := search(t, p.Agent, api.SearchRequest{Query: "harbour"})
	if lineOf(got, raw) == nil || lineOf(got, other) == nil || len(got.Results) != 4 {
		t.Errorf("found %q, want all four", order(got))
	}
}

// "rate limit 100, corrected to 300, revised to 500".
func TestCorrectedWords(t *testing.T) {
	p := newPeople(t)
	r := remember(t, p.Agent, "The rate limit is 100")
	if len(r.Memories) != 1 {
		t.Fatalf("memories: %+v", r)
	}
	old := r.Memories[0].Ref
	mid := revise(t, p.Agent, old, "The rate limit is 300")
	last := revise(t, p.Owner, mid, "The rate limit is 500")
	got := search(t, p.Owner, api.SearchRequest{Query: "rate limit 100"})
	if want := []string{last, r.Ref}; !slices.Equal(refs(got), want) {
		t.Fatalf("found %q, want the limit of 500 first", order(got))
	}
	if want := "replaced by " + short(last); !slices.Contains(got.Results[1].Marks, want) {
		t.Errorf("marks = %q, want %q", got.Results[1].Marks, want)
	}
	// what a person said stays where an agent alone revises or forgets it, and says so
	mine := remember(t, p.Owner, "The upload limit is 10 MB").Memories[0]
	revise(t, p.Agent, mine.Ref, "The upload limit is 20 MB")
	_, err := p.Agent.Forget(t.Context(), api.ForgetRequest{Refs: []string{mine.Ref}})
	if !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent forgets what a person said: %v", err)
	}
	line := lineOf(search(t, p.Owner, api.SearchRequest{Query: "upload limit"}), mine.Ref)
	if line == nil || line.Hidden != "" || len(line.Undecided) != 1 {
		t.Errorf("what the person said: %+v", line)
	}
}

// "Alice works at Acme … resolved".
func TestResolvedReachesTheWords(t *testing.T) {
	for _, keep := range []string{"new", "old"} {
		t.Run(keep, func(t *testing.T) {
			p := newPeople(t)
			first := remember(t, p.Owner, "Alice works at Acme")
			second := remember(t, p.Owner, "Alice left Acme and joined StartupX")
			old, new := first.Memories[0].Ref, second.Memories[0].Ref
			undecided := search(t, p.Owner, api.SearchRequest{Query: "Alice Acme"})
			if i, j := slices.Index(refs(undecided), new), slices.Index(refs(undecided), old); i < 0 || j < i {
				t.Errorf("undecided: %q, want the newer first", order(undecided))
			}
			resolve(t, p.Owner, second.Links[0].Ref, keep)
			got := search(t, p.Owner, api.SearchRequest{Query: "Alice works at Acme"})
			if keep == "old" {
				if lineOf(got, second.Ref) != nil || lineOf(got, new) != nil || got.Results[0].Ref != old {
					t.Errorf("keep old: %q", order(got))
				}
				return
			}
			i, j := slices.Index(refs(got), new), slices.Index(refs(got), first.Ref)
			if i < 0 || j != i+1 || !slices.Contains(got.Results[j].Marks, "replaced by "+short(new)) {
				t.Errorf("keep new: %q, want the words directly below what replaced them", order(got))
			}
		})
	}
}

// What a decision does to the words, and what it does not.
func TestDecisionsOnTheWords(t *testing.T) {
	const text = "The staging cluster runs in Frankfurt"
	for name, tt := range map[string]struct {
		do     func(p *people, raw, m string)
		given  bool
		marked bool
	}{
		"reject": {func(p *people, _, m string) { reject(p.T, p.Owner, "wrong", m) }, false, false},
		"forget": {func(p *people, _, m string) { mark(p.T, p.Owner, memory.Forget, "", m) }, false, false},
		"forget, undone": {
			func(p *people, _, m string) { mark(p.T, p.Owner, memory.Forget, "", m); undo(p.T, p.Owner) }, true,
			false,
		},
		"agent's reject": {func(p *people, _, m string) { mark(p.T, p.Agent, memory.Reject, "", m) }, true, true},
		"quarantine":     {func(p *people, _, m string) { mark(p.T, p.Owner, memory.Quarantine, "", m) }, true, true},
		"words are kept": {
			func(p *people, raw, m string) { reject(p.T, p.Owner, "", m); approveAnyway(p, raw) }, true, true,
		},
		"two were made":   {func(p *people, raw, m string) { another(p, raw); reject(p.T, p.Owner, "", m) }, true, true},
		"both were wrong": {func(p *people, raw, m string) { reject(p.T, p.Owner, "", m, another(p, raw)) }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			raw := capture(t, p.Owner, text)
			m := write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}, From: []string{raw}})
			tt.do(p, raw, m)
			got := search(t, p.Owner, api.SearchRequest{Query: "staging cluster"})
			line := lineOf(got, raw)
			if i := slices.IndexFunc(got.Results, func(r api.Result) bool { return slices.Contains(r.Wording, raw) }); i >= 0 {
				line = &got.Results[i]
			}
			if (line != nil) != tt.given {
				t.Fatalf("given: %v, want %v", line != nil, tt.given)
			}
			if line != nil && (len(line.Marks) > 0) != tt.marked {
				t.Errorf("marks %q, want some: %v", line.Marks, tt.marked)
			}
			all := lineOf(search(t, p.Owner, api.SearchRequest{Query: "staging cluster", All: true}), raw)
			if all == nil || !tt.given && all.Hidden == "" {
				t.Errorf("with --all: %+v, want the words, marked", all)
			}
		})
	}
}

func another(p *people, raw string) string {
	return write(
		p.T, p.Agent,
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "Frankfurt hosts staging"}, From: []string{raw}},
	)
}

func approveAnyway(p *people, ref string) {
	if err := enginetest.SignMark(p.T.Context(), p.Owner, memory.Recover, "these are right", ref); err != nil {
		p.T.Fatal(err)
	}
}

// Before a decision the words are given as they were known then.
func TestSettledAsOf(t *testing.T) {
	p := newPeople(t)
	first := remember(t, p.Owner, "Alice works at Acme")
	before := p.AsOf()
	reject(t, p.Owner, "", first.Memories[0].Ref)
	if got := search(t, p.Owner, api.SearchRequest{Query: "Acme"}); len(got.Results) != 0 {
		t.Errorf("now: %q", order(got))
	}
	got := search(t, p.Owner, api.SearchRequest{Query: "Acme", AsOf: before})
	if len(got.Results) != 1 || !slices.Equal(got.Results[0].Wording, []string{first.Ref}) {
		t.Errorf("as of before: %q", order(got))
	}
}

// Rejected is remembered, on every path of an agent.
func TestRejectedIsRemembered(t *testing.T) {
	const text = "The build server is called Hektor"
	for name, path := range map[string]func(p *people) (raw string, r *api.Rejection){
		"remember": func(p *people) (string, *api.Rejection) {
			r, err := p.Agent.Remember(
				p.T.Context(), api.RememberRequest{Text: "the build server is called Hektor.", Wait: true},
			)
			check(p.T, err)
			return r.Ref, r.Rejected
		},
		"remember, later": func(p *people) (string, *api.Rejection) {
			r, err := p.Agent.Remember(p.T.Context(), api.RememberRequest{Text: text})
			check(p.T, err)
			check(p.T, enginetest.Do(p.Agent.RunJobs(p.T.Context(), api.RunJobsRequest{})))
			return r.Ref, r.Rejected
		},
		"add": func(p *people) (string, *api.Rejection) {
			r, err := p.Agent.Add(p.T.Context(), api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}})
			check(p.T, err)
			return r.Ref, r.Rejected
		},
		"promote": func(p *people) (string, *api.Rejection) {
			raw := capture(p.T, p.Agent, text)
			r, err := p.Agent.Promote(
				p.T.Context(),
				api.PromoteRequest{From: []string{raw}, Draft: api.Draft{Kind: "note", Text: text}},
			)
			check(p.T, err)
			if r.Ref != raw {
				p.T.Errorf("promote answers with %s, want the words %s", r.Ref, raw)
			}
			return r.Ref, r.Rejected
		},
		"revise": func(p *people) (string, *api.Rejection) {
			other := add(p.T, p.Agent, "belief", "The deploy server is called Paris")
			r, err := p.Agent.Revise(p.T.Context(), api.ReviseRequest{Ref: other, Draft: api.Draft{Text: text}})
			check(p.T, err)
			if show(p.T, p.Agent, other).Hidden != "" {
				p.T.Error("what was to be revised is gone")
			}
			return r.Ref, r.Rejected
		},
		"import": func(p *people) (string, *api.Rejection) {
			r, err := p.Agent.Ingest(p.T.Context(), func(yield func(api.Foreign, error) bool) {
				yield(api.Foreign{Alias: []string{"x:1"}, Body: &memory.Belief{Statement: text, Type: "fact"}}, nil)
			}, nil)
			check(p.T, err)
			if len(r.Rejected) != 1 || r.Added != 1 || r.ByKind[memory.KindRaw] != 1 {
				p.T.Fatalf("import: %+v", r)
			}
			return r.Rejected[0].Raw, &r.Rejected[0]
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			first := remember(t, p.Owner, text)
			old := first.Memories[0].Ref
			reject(t, p.Owner, "it is Achilles", old)
			before := countOf(t, p.Owner)
			raw, r := path(p)
			if r == nil || r.Ref != old || r.RejectedBy != "you" || r.RejectedAt == "" || r.Reason != "it is Achilles" {
				t.Fatalf("the answer says %+v", r)
			}
			if m := show(t, p.Agent, raw); m.Type != "raw" || !saysAgain(m, old) {
				t.Errorf("the words: %s, claims %+v", m.Type, m.Claims)
			}
			if after := countOf(t, p.Owner); after != before && name != "revise" || name == "revise" && after != before+1 {
				t.Errorf("%d memories that are no raws, want %d", after, before)
			}
			if got := search(
				t, p.Agent, api.SearchRequest{Query: "build server Hektor", Limit: 3},
			); lineOf(got, raw) != nil || lineOf(got, old) != nil {
				t.Errorf("search gives it: %q", order(got))
			}
			if c, err := p.Owner.Conflicts(t.Context(), api.OpenRequest{}); err != nil || len(c.Conflicts) > 0 {
				t.Errorf("conflicts: %+v, %v", c, err)
			}
		})
	}
}

func saysAgain(m api.ShowReply, of string) bool {
	return slices.ContainsFunc(m.Claims, func(c api.Claim) bool {
		return c.Content["verb"] == memory.Said &&
			c.Content["of"] == of
	})
}

// countOf counts the live memories that are no raws.
func countOf(t testing.TB, e *engine.Engine) int {
	t.Helper()
	n := 0
	list, err := e.List(t.Context(), api.ListRequest{Limit: -1})
	check(t, err)
	for _, m := range list.Memories {
		if m.Type != "raw" {
			n++
		}
	}
	return n
}

// A person who says again what a person rejected is told, and may.
func TestPersonSaysItAgain(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t)
	old := remember(t, p.Owner, "The build server is called Hektor").Memories[0].Ref
	reject(t, p.Owner, "", old)
	in := api.RememberRequest{Text: "The build server is called Hektor", Wait: true}
	r, err := p.Owner.Remember(ctx, in)
	if err != nil || len(r.Memories) != 0 || r.Rejected == nil || !strings.Contains(r.Hint, "again=true") {
		t.Errorf("a person is told: %+v, %v", r, err)
	}
	typed := api.AddRequest{Draft: api.Draft{Kind: "belief", Text: in.Text}}
	if _, err := p.Owner.Add(ctx, typed); !errors.Is(err, api.ErrConflict) ||
		!strings.Contains(err.Error(), "again=true") {
		t.Errorf("typed: %v, want to be told", err)
	}
	in.Again = true
	if _, err := p.Agent.Remember(ctx, in); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent with again: %v, want forbidden", err)
	}
	if r, err = p.Owner.Remember(ctx, in); err != nil || len(r.Memories) != 1 {
		t.Fatalf("with again: %+v, %v", r, err)
	}
	if got := search(t, p.Owner, api.SearchRequest{Query: "build server"}); len(got.Results) != 1 ||
		got.Results[0].Ref != r.Memories[0].Ref {
		t.Errorf("said again by a person: %q", order(got))
	}
	typed.Again = true
	if _, err := p.Owner.Add(ctx, typed); err != nil {
		t.Errorf("typed with again: %v", err)
	}
	// what is merely alike is written, with the rejection shown
	w, err := p.Agent.Add(
		ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "Our build server is now called Hektor"}},
	)
	if err != nil || !strings.HasPrefix(w.Ref, "belief:") || w.Rejected == nil || !w.Rejected.Alike ||
		w.Rejected.Ref != old {
		t.Errorf("alike: %+v, %v", w, err)
	}
}

// The same sentence makes no second memory while the first is current.
func TestSaidAgain(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t)
	first := remember(t, p.Agent, "Carol leads the platform team")
	m := first.Memories[0].Ref
	for _, text := range []string{"Carol leads the platform team.", "  carol leads the  platform team"} {
		again := remember(t, p.Agent, text)
		if len(again.Memories) != 0 || len(again.SaidAgain) != 1 ||
			again.SaidAgain[0].Ref != m || again.SaidAgain[0].Raw != again.Ref {
			t.Errorf("%q: memories %+v, said %+v", text, again.Memories, again.SaidAgain)
		}
		if !saysAgain(show(t, p.Agent, m), m) {
			t.Errorf("%q: no mark of %s names the words", text, m)
		}
	}
	review, err := p.Owner.Review(ctx, api.KindRequest{All: true})
	if err != nil || len(review.Pending) != 1 {
		t.Errorf("to review: %d, %v, want 1", len(review.Pending), err)
	}
	got := search(t, p.Agent, api.SearchRequest{Query: "platform team"})
	if len(got.Results) != 1 || len(got.Results[0].Wording) != 3 {
		t.Errorf("found %q in the words of %v", order(got), got.Results[0].Wording)
	}
	if other := remember(t, p.Owner, "Carol leads the platform team"); len(other.Memories) != 1 {
		t.Errorf("a person's words are of another origin: %+v", other)
	}
	revise(t, p.Agent, m, "Carol leads the data team")
	if again := remember(t, p.Agent, "Carol leads the platform team"); len(again.SaidAgain) > 0 &&
		again.SaidAgain[0].Ref == m {
		t.Error("it folds onto a superseded memory")
	}
}

// An open proposal about a memory is open about its revision.
func TestLinksFollowSupersession(t *testing.T) {
	ctx := t.Context()
	p := newPeople(t)
	old := remember(t, p.Owner, "Alice works at Acme").Memories[0].Ref
	second := remember(t, p.Owner, "Alice left Acme and joined StartupX")
	new, link := second.Memories[0].Ref, second.Links[0].Ref
	now := revise(t, p.Owner, old, "Alice works at Acme Ltd")
	c, err := p.Owner.Conflicts(ctx, api.OpenRequest{})
	if err != nil || len(c.Conflicts) != 1 || c.Conflicts[0].Old.Ref != now || c.Conflicts[0].Old.Was != old {
		t.Fatalf("conflicts: %+v, %v, want one about %s", c.Conflicts, err, now)
	}
	s, err := p.Owner.Suggestions(ctx, api.KindRequest{Kind: "link"})
	if err != nil || len(s.Suggestions) != 1 {
		t.Errorf("suggestions: %+v, %v", s, err)
	}
	line := lineOf(search(t, p.Owner, api.SearchRequest{Query: "Alice Acme Ltd"}), now)
	if line == nil || !slices.Contains(line.Undecided, "perhaps replaced by "+short(new)) {
		t.Errorf("search says of the revision: %+v", line)
	}
	resolve(t, p.Owner, link, "new")
	if m := show(t, p.Owner, now); m.SupersededBy != new {
		t.Errorf("the revision is superseded by %q, want %s", m.SupersededBy, new)
	}
}

// What held at a time is given although another took its place.
func TestWhatHeldThen(t *testing.T) {
	p := newPeople(t)
	old := write(
		t, p.Owner,
		api.AddRequest{
			Draft: api.Draft{Kind: "belief", Text: "The office is in Bonn"},
			Meta:  api.Meta{ValidFrom: "2026-01-07"},
		},
	)
	r, err := p.Owner.Revise(
		t.Context(),
		api.ReviseRequest{
			Ref: old, Draft: api.Draft{Text: "The office is in Berlin"}, Meta: api.Meta{ValidFrom: "2026-01-09"},
		},
	)
	check(t, err)
	for at, want := range map[string][]string{
		"2026-01-06": {}, "2026-01-08": {old}, "2026-01-09": {r.Ref}, "2026-02-01": {r.Ref}, "": {r.Ref},
	} {
		got := search(t, p.Owner, api.SearchRequest{Query: "office", ValidAt: at})
		if !slices.Equal(refs(got), want) {
			t.Errorf("valid at %q: %q, want %v", at, order(got), want)
			continue
		}
		if at == "2026-01-08" && !strings.HasPrefix(got.Results[0].Until, "2026-01-09") {
			t.Errorf("valid at %s: until %q", at, got.Results[0].Until)
		}
	}
	reject(t, p.Owner, "", old)
	if got := search(t, p.Owner, api.SearchRequest{Query: "office", ValidAt: "2026-01-08"}); len(got.Results) > 0 {
		t.Errorf("rejected, it never held: %q", order(got))
	}
}

// A successor that names no beginning begins when it was written, and closes there what it replaced: by a revision,
// and by a decision about two memories.
func TestWhatHeldBeforeAChange(t *testing.T) {
	for _, how := range []string{"revise", "correct"} {
		p := newPeople(t)
		p.Stop()
		old := add(t, p.Owner, "belief", "The office is in Bonn")
		p.Ahead(time.Hour)
		before := p.Now().Format(time.RFC3339)
		p.Ahead(time.Hour)
		var newer string
		switch how {
		case "revise":
			r, err := p.Owner.Revise(t.Context(), api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "The office is in Berlin"}})
			check(t, err)
			newer = r.Ref
		case "correct":
			newer = add(t, p.Owner, "belief", "The office is in Berlin")
			_, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: old, By: newer})
			check(t, err)
		}
		p.Ahead(time.Hour)
		after := p.Now().Format(time.RFC3339)
		for at, want := range map[string]string{before: old, after: newer, "": newer} {
			got := search(t, p.Owner, api.SearchRequest{Query: "office", ValidAt: at})
			if !slices.Equal(refs(got), []string{want}) {
				t.Errorf("%s: valid at %q: %q, want %s", how, at, order(got), want)
				continue
			}
			if until := got.Results[0].Until; at == before != (until != "") {
				t.Errorf("%s: valid at %q: until %q", how, at, until)
			}
		}
	}
}

// Of two memories of one sentence a pack gives one: what is undecided about the words is
// said of it, whichever it is.
func TestALineKeepsWhatIsOpenAboutItsWords(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	for who, text := range map[*engine.Engine]string{
		p.Owner: "The rate limit is 100 requests a minute", p.Agent: "The rate limit is 300 requests a minute",
	} {
		if _, err := who.Remember(ctx, api.RememberRequest{Text: text, Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.Owner.Conflicts(ctx, api.OpenRequest{})
	if err != nil || len(c.Conflicts) == 0 {
		t.Fatalf("no conflict: %+v, %v", c, err)
	}
	for _, text := range []string{"The rate limit is 100 requests a minute", "The rate limit is 300 requests a minute"} {
		write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}})
	}
	for name, r := range map[string]func() (api.ContextReply, error){
		"load": func() (api.ContextReply, error) { return p.Agent.Load(ctx, api.LoadRequest{}) },
		"context": func() (api.ContextReply, error) {
			return p.Agent.Context(ctx, api.ContextRequest{Query: "rate limit"})
		},
	} {
		reply, err := r()
		if err != nil {
			t.Fatal(err)
		}
		text, err := reply.Render("text", false)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `"The rate limit is`) && !strings.Contains(line, "contradicts") &&
				!strings.Contains(line, "replaced") && !strings.Contains(line, "update") {
				t.Errorf("%s gives without a mark %s", name, line)
			}
		}
	}
}

// What was recorded lately says of words that were decided against that they were.
func TestRecentMarksWhatWasDecidedAgainst(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	kept := func(text string) (raw, drafted string) {
		r, err := p.Owner.Remember(ctx, api.RememberRequest{Text: text, Wait: true})
		if err != nil || len(r.Memories) != 1 {
			t.Fatalf("%q became %+v, %v", text, r.Memories, err)
		}
		return r.Ref, r.Memories[0].Ref
	}
	rejected, belief := kept("The moon is a harbour")
	if _, err := p.Owner.Reject(ctx, api.DecideRequest{Refs: []string{belief}}); err != nil {
		t.Fatal(err)
	}
	replaced, belief := kept("The ferry leaves at ten")
	if _, err := p.Owner.Revise(
		ctx, api.ReviseRequest{Ref: belief, Draft: api.Draft{Text: "The ferry leaves at eleven"}},
	); err != nil {
		t.Fatal(err)
	}
	r, err := p.Agent.Recent(ctx, api.RecentRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{rejected: "was decided against", replaced: "replaced by "}
	for _, m := range r.Memories {
		if hidden, asked := want[m.Ref]; asked {
			if delete(want, m.Ref); !strings.Contains(strings.Join(m.Marks, "; "), hidden) {
				t.Errorf("%q is marked %q, want %q", m.Headline, m.Marks, hidden)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}
