package lifecycle_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// minds are the ways in which words become memories: by rules, and by a model.
func minds() map[string]func(*engine.Config) {
	return map[string]func(*engine.Config){
		"rules": func(*engine.Config) {},
		"sim":   func(c *engine.Config) { c.LLM, c.Seed = sim.Generator{Seed: 7}, 7 },
	}
}

// The seed's own example, from the words to the decision.
func TestAliceChangesHerJob(t *testing.T) {
	for name, mind := range minds() {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t, mind)
			first := remember(t, p.Owner, "Alice works at Acme")
			if len(first.Memories) != 1 || len(first.Links) != 0 || first.Type != "raw" {
				t.Fatalf("first: %+v", first)
			}
			second := remember(t, p.Owner, "Alice left Acme and joined StartupX")
			if len(second.Memories) != 1 || len(second.Links) != 1 || len(second.Jobs) != 0 {
				t.Fatalf("second: %d memories, %d links, jobs %v", len(second.Memories), len(second.Links), second.Jobs)
			}
			old, new, link := first.Memories[0], second.Memories[0], second.Links[0]
			if link.Relation != memory.Update || link.Old.Ref != old.Ref || link.New.Ref != new.Ref ||
				link.State != "open" || link.Confidence < 0.3 {
				t.Fatalf("the link is %+v, want an update of %s by %s", link, old.Ref, new.Ref)
			}
			if new.Review != "pending" || new.Origin != "agent" || new.DerivedFrom[0] != second.Ref || new.Tier != "inferred" {
				t.Errorf("the draft is %+v, want one that waits, an agent's, of its raw, and no evidence for itself", new)
			}
			for _, m := range []api.Memory{old, new} {
				if got := show(t, p.Owner, m.Ref); got.Hidden != "" {
					t.Errorf("%s is hidden before anybody decided: %s", m.Ref, got.Hidden)
				}
			}
			if _, err := p.Agent.Resolve(
				t.Context(), api.ResolveRequest{Ref: link.Ref, Keep: "new"},
			); !errors.Is(err, api.ErrForbidden) {
				t.Errorf("an agent decides: %v", err)
			}
			conflicts, err := p.Owner.Conflicts(t.Context(), api.OpenRequest{})
			if err != nil || len(conflicts.Conflicts) != 1 {
				t.Fatalf("conflicts: %+v, %v", conflicts, err)
			}
			if _, err := p.Owner.AcceptSuggestion(t.Context(), api.SuggestionRequest{Ref: link.Ref}); err != nil {
				t.Fatal(err)
			}
			if got := show(t, p.Owner, old.Ref); got.SupersededBy != new.Ref {
				t.Errorf("accepted: the old one is superseded by %q", got.SupersededBy)
			}
			h, err := p.Owner.History(t.Context(), api.RefRequest{Ref: old.Ref})
			if err != nil || len(h.Revisions) != 2 || h.Revisions[0].Ref != old.Ref || h.Revisions[1].Ref != new.Ref {
				t.Errorf("history: %d revisions, %+v, %v", len(h.Revisions), h, err)
			}
			if conflicts, err = p.Owner.Conflicts(t.Context(), api.OpenRequest{}); err != nil ||
				len(conflicts.Conflicts) != 0 {
				t.Errorf("conflicts when it is decided: %+v, %v", conflicts, err)
			}
		})
	}
}

// What else the issue names.
func TestPlainRelations(t *testing.T) {
	for name, mind := range minds() {
		for _, tt := range []struct {
			old      []string
			new      string
			want     string
			byModels bool
		}{
			{[]string{"Bob likes hiking"}, "Bob hates hiking", memory.Contradict, false},
			{[]string{"Know the release branch rules"}, "Use the release branch rules", "", false},
			{[]string{"Carol knows Go"}, "Carol also knows TypeScript", memory.Extend, true},
			{
				[]string{"Dan worked from home on Monday", "Dan worked from home on Wednesday", "Dan worked from home on Friday"},
				"Dan prefers remote work", memory.Derive, true,
			},
		} {
			t.Run(name+"/"+tt.new, func(t *testing.T) {
				p := newPeople(t, mind)
				for _, old := range tt.old {
					add(t, p.Owner, "belief", old)
				}
				r, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "belief", Text: tt.new}})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := p.Agent.Compare(t.Context(), api.CompareRequest{Ref: r.Ref}); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Agent.RunJobs(t.Context(), api.RunJobsRequest{}); err != nil {
					t.Fatal(err)
				}
				c, err := p.Agent.Conflicts(t.Context(), api.OpenRequest{All: true})
				got := ""
				if err == nil && len(c.Conflicts) == 1 {
					got = c.Conflicts[0].Relation
				}
				want := tt.want
				if tt.byModels && name == "rules" {
					want = ""
				}
				if got != want || err != nil || len(c.Conflicts) > 1 {
					t.Errorf("%q after %q: %+v, %v, want %q", tt.new, tt.old, c.Conflicts, err, want)
				}
			})
		}
	}
}

// A decision is written once, by a person, whichever it is.
func TestResolve(t *testing.T) {
	for way, tt := range map[string]struct {
		in                 api.ResolveRequest
		oldHidden, newHide string
		state              string
	}{
		"old":     {api.ResolveRequest{Keep: "old"}, "", "rejected", "rejected"},
		"new":     {api.ResolveRequest{Keep: "new"}, "superseded", "", "over"},
		"both":    {api.ResolveRequest{Keep: "both"}, "", "", "standing"},
		"merge":   {api.ResolveRequest{Merge: "Bob likes hiking in summer alone"}, "superseded", "superseded", "over"},
		"dismiss": {api.ResolveRequest{Dismiss: true}, "", "", "rejected"},
	} {
		t.Run(way, func(t *testing.T) {
			p := newPeople(t)
			remember(t, p.Owner, "Bob likes hiking")
			r := remember(t, p.Owner, "Bob hates hiking")
			if len(r.Links) != 1 || r.Links[0].Relation != memory.Contradict {
				t.Fatalf("links: %+v", r.Links)
			}
			link := r.Links[0]
			tt.in.Ref = link.Ref
			got, err := p.Owner.Resolve(t.Context(), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got.Link.State != tt.state || got.Link.Old.Hidden != tt.oldHidden || got.Link.New.Hidden != tt.newHide {
				t.Errorf("%+v, want it %s, the old one %q, the new one %q", got.Link, tt.state, tt.oldHidden, tt.newHide)
			}
			c, err := p.Owner.Conflicts(t.Context(), api.OpenRequest{})
			if err != nil || len(c.Conflicts) != 0 {
				t.Errorf("conflicts afterwards: %+v, %v", c, err)
			}
			if _, err := p.Owner.Resolve(t.Context(), api.ResolveRequest{Ref: link.Ref, Keep: "new"}); way != "both" &&
				err == nil {
				t.Error("it is decided a second time")
			}
		})
	}
}

// The caller judges what is shown to him, and nothing else.
func TestJudge(t *testing.T) {
	p := newPeople(t)
	first := remember(t, p.Owner, "Alice works at Acme")
	r, err := p.Agent.Remember(
		t.Context(), api.RememberRequest{Text: "Alice works at StartupX since May 2026", Judge: true},
	)
	if err != nil || len(r.Judge) != 1 || len(r.Judge[0].Candidates) != 1 ||
		r.Judge[0].Candidates[0].Ref != first.Memories[0].Ref || len(r.Links) != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	ref := r.Judge[0].Ref
	for what, in := range map[string]api.JudgeRequest{
		"a number that was not shown": {Ref: ref, Relation: memory.Update, Candidate: 2},
		"no number":                   {Ref: ref, Relation: memory.Update},
		"no such relation":            {Ref: ref, Relation: "supports", Candidate: 1},
		"none of one":                 {Ref: ref, Relation: "none", Candidate: 1},
		"surer than sure":             {Ref: ref, Relation: memory.Update, Candidate: 1, Confidence: new(1.5)},
	} {
		if _, err := p.Agent.Judge(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	got, err := p.Agent.Judge(
		t.Context(),
		api.JudgeRequest{Ref: ref, Relation: memory.Update, Candidate: 1, Confidence: new(0.9), Reason: "a new job"},
	)
	if err != nil || got.Link == nil || got.Link.State != "open" || got.Link.Reason != "a new job" ||
		got.Link.Detector != "caller" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := p.Agent.Judge(
		t.Context(), api.JudgeRequest{Ref: ref, Relation: "none"},
	); !errors.Is(err, api.ErrConflict) {
		t.Errorf("a second judgement: %v", err)
	}
	if old := show(t, p.Owner, first.Memories[0].Ref); old.Hidden != "" {
		t.Errorf("a judgement acts: %s", old.Hidden)
	}
}

// Whatever a model does, the words are kept, and what it could not do is done later
// or by rules.
func TestIllModels(t *testing.T) {
	t.Parallel()
	for _, fault := range []sim.Fault{
		sim.Timeout, sim.Busy, sim.Malformed, sim.Refusal, sim.Cut, sim.Two,
	} {
		t.Run(fmt.Sprint(fault), func(t *testing.T) {
			p := newPeople(t, func(c *engine.Config) {
				c.LLM = sim.Generator{Seed: 1, Faults: map[sim.Fault]float64{fault: 1}}
				c.Bounds = llm.Bounds{Timeout: 20 * time.Millisecond, Tries: 1, Failures: 1000}
			})
			add(t, p.Owner, "belief", "Alice works at Acme")
			r := remember(t, p.Owner, "Alice left Acme and joined StartupX")
			if len(r.Memories) != 1 || len(r.Notes) == 0 {
				t.Fatalf("%d memories, notes %q, want what the rules find, and one note why", len(r.Memories), r.Notes)
			}
			later, err := p.Owner.Remember(t.Context(), api.RememberRequest{Text: "Dora works at Initech"})
			if err != nil || len(later.Jobs) != 1 {
				t.Fatalf("%+v, %v", later, err)
			}
			for range 20 {
				p.Ahead(7 * time.Hour)
				done, err := p.Owner.RunJobs(t.Context(), api.RunJobsRequest{})
				if err != nil || done.GaveUp > 0 {
					t.Fatalf("%+v, %v", done, err)
				}
				if done.Open == 0 {
					break
				}
			}
			jobs, err := p.Owner.Jobs(t.Context(), api.OpenRequest{})
			if err != nil || jobs.Open != 0 {
				t.Errorf("%d jobs are left: %+v, %v", jobs.Open, jobs.Jobs, err)
			}
			if found := search(t, p.Owner, api.SearchRequest{Query: "Dora Initech", Kind: "belief"}); len(found.Results) != 1 {
				t.Errorf("what was remembered is found %d times as a belief", len(found.Results))
			}
		})
	}
}

// What no one decided about is said wherever one of the two is shown.
func TestUndecidedIsShown(t *testing.T) {
	p := newPeople(t)
	first := remember(t, p.Owner, "Alice works at Acme")
	second := remember(t, p.Owner, "Alice left Acme and joined StartupX")
	if len(second.Links) != 1 {
		t.Fatalf("links: %+v", second.Links)
	}
	old, new := first.Memories[0].Ref, second.Memories[0].Ref
	for _, ref := range []string{old, new} {
		if m := show(t, p.Owner, ref); len(m.Links) != 1 || m.Links[0].Ref != second.Links[0].Ref {
			t.Errorf("show %s: links %+v", ref, m.Links)
		}
	}
	said := make(map[string]string)
	for _, r := range search(t, p.Owner, api.SearchRequest{Query: "Alice Acme", Kind: "belief"}).Results {
		said[r.Ref] = strings.Join(r.Undecided, "; ")
	}
	if !strings.HasPrefix(said[old], "perhaps replaced by belief:") ||
		!strings.HasPrefix(said[new], "perhaps replaces belief:") {
		t.Errorf("search says %q", said)
	}
	pack, err := p.Owner.Context(t.Context(), api.ContextRequest{Query: "where does Alice work"})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := pack.Render("text", false); err != nil ||
		!strings.Contains(string(text), "perhaps replaced by belief:") {
		t.Errorf("the pack does not say it: %v\n%s", err, text)
	}
	if _, err := p.Owner.Resolve(t.Context(), api.ResolveRequest{Ref: second.Links[0].Ref, Keep: "both"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range search(t, p.Owner, api.SearchRequest{Query: "Alice Acme", Kind: "belief"}).Results {
		if len(r.Undecided) > 0 {
			t.Errorf("decided, search still says %q", r.Undecided)
		}
	}
}

// A trace as a document names the links of what it traces.
func TestTraceDocumentNamesLinks(t *testing.T) {
	p := newPeople(t)
	remember(t, p.Owner, "Bob likes hiking")
	second := remember(t, p.Owner, "Bob hates hiking")
	doc, err := p.Owner.TraceDocument(
		t.Context(), api.TraceDocumentRequest{Ref: second.Memories[0].Ref, Format: intake.TraceProv},
	)
	if err != nil || len(second.Links) != 1 {
		t.Fatalf("%v, links %+v", err, second.Links)
	}
	if id := strings.TrimPrefix(second.Links[0].Ref, "link:"); !strings.Contains(string(doc.Document), id) {
		t.Errorf("the document does not name %s", second.Links[0].Ref)
	}
}

// Who remembers something may say what it is, whom it is about, and how long it holds.
func TestRememberAsItsAuthorSays(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		reply, err := e.Remember(t.Context(), api.RememberRequest{
			Text: "The freeze holds for all services. Nobody deploys.", Kind: "decision",
			Meta: api.Meta{About: []string{"payments"}, ValidFrom: "2026-12-01", ValidUntil: "2026-12-31"},
		})
		if err != nil || len(reply.Memories) != 1 {
			t.Fatalf("%+v, %v", reply, err)
		}
		m := reply.Memories[0]
		if m.Type != "note" || m.Content["type"] != "decision" || !slices.Contains(m.About, "payments") ||
			!strings.HasPrefix(m.ValidFrom, "2026-12-01") || !strings.HasPrefix(m.ValidUntil, "2026-12-31") ||
			!strings.Contains(m.Headline, "Nobody deploys") {
			t.Errorf("%+v", m)
		}
		_, err = e.Remember(t.Context(), api.RememberRequest{Text: "Anything", Kind: "zebra"})
		if !errors.Is(err, api.ErrInvalid) {
			t.Errorf("an unknown kind: %v", err)
		}
	})
}
