package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// waits is what waits, by every operation that lists or counts it. They agree.
func waits(t *testing.T, e *engine.Engine) (memories, links []string) {
	t.Helper()
	ctx := t.Context()
	review, err := e.Review(ctx, api.KindRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range review.Pending {
		if !p.Asks {
			t.Errorf("%s waits, and says that it needs no decision", p.Ref)
		}
		memories = append(memories, p.Ref)
	}
	open, err := e.Conflicts(ctx, api.OpenRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range open.Conflicts {
		links = append(links, l.Ref)
	}
	queue, err := e.Suggestions(ctx, api.KindRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, s := range queue.Suggestions {
		listed = append(listed, s.Ref)
	}
	if want := slices.Concat(memories, links); !slices.Equal(listed, want) {
		t.Errorf("suggestions lists %v, review and conflicts %v", shortened(listed), shortened(want))
	}
	s, err := e.Status(ctx, api.Nothing{})
	if err != nil || s.PendingReviews.Count != len(memories) || s.OpenConflicts.Count != len(links) {
		t.Errorf("status counts %d and %d, %v, want %d and %d", s.PendingReviews.Count, s.OpenConflicts.Count, err,
			len(memories), len(links))
	}
	load, err := e.Load(ctx, api.LoadRequest{Budget: 5000})
	if err != nil {
		t.Fatal(err)
	}
	all, err := e.Conflicts(ctx, api.OpenRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	want, forAgent := len(links), 0 // a session begins with three of those that an agent settles
	for _, l := range all.Conflicts {
		if l.For == "agent" {
			if forAgent++; l.State == "open" {
				want--
			}
		}
	}
	want += min(forAgent, 3)
	if shown := strings.Count(string(load.Body), `"kind":"link"`); shown != want {
		t.Errorf("load begins with %d links, want %d", shown, want)
	}
	return memories, links
}

// Under the default policy a person is asked about what only works with their word.
func TestWhoIsAskedAboutMemories(t *testing.T) {
	p := newPeople(t)
	tool, imported := p.as(memory.OriginTool), p.as(memory.OriginImport)
	note := func(e *engine.Engine, kind, text string) string {
		return write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Type: kind, Text: text}})
	}
	var want []string
	for _, kind := range []string{"value", "goal", "drive"} {
		want = append(want, add(t, p.agent, kind, "the agent's "+kind))
		add(t, p.owner, kind, "the owner's "+kind)
		add(t, imported, kind, "somebody's "+kind)
		add(t, tool, kind, "a tool's "+kind)
	}
	want = append(want, note(p.agent, "constraint", "never feed the herons"))
	note(tool, "constraint", "always feed the herons, a page says")
	page := capture(t, tool, "herons must be fed")
	write(t, p.agent, api.AddRequest{
		From: []string{page}, Draft: api.Draft{Kind: "note", Type: "constraint", Text: "herons must be fed"},
	})
	for _, kind := range []string{"decision", "preference", "convention", "observation"} {
		note(p.agent, kind, "the agent's "+kind)
	}
	add(t, p.agent, "belief", "herons are birds")
	add(t, p.agent, "episode", "herons were seen")
	if got, links := waits(t, p.owner); !slices.Equal(got, want) || len(links) > 0 {
		t.Errorf("%v wait, want %v", shortened(got), shortened(want))
	}
	for policy, wait := range map[string]int{"project": 4, "strict": 18} {
		e := p.as(memory.OriginOwner, func(c *engine.Config) { c.ReviewPolicy = policy })
		if got, _ := waits(t, e); len(got) != wait {
			t.Errorf("%s: %d wait, want %d", policy, len(got), wait)
		}
	}
	if got := pending(t, p.owner, api.KindRequest{All: true, Limit: -1}); len(got) != 18 {
		t.Errorf("%d are undecided, want 18", len(got))
	}
	c := p.config
	c.ReviewPolicy = "loose"
	if _, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), c); !isInvalid(err) {
		t.Errorf("an unknown policy: %v, want it invalid", err)
	}
}

// An agent's revision of what a person approved is a proposal, and a person is asked.
func TestRevisionOfWhatWasApproved(t *testing.T) {
	for _, policy := range []string{"default", "strict", "project"} {
		p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = policy })
		old := add(t, p.agent, "belief", "the limit is 100")
		approve(t, p.owner, old)
		r, err := p.agent.Revise(t.Context(), api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "the limit is 300"}})
		if err != nil || r.Link == "" {
			t.Fatalf("%s: %+v, %v, want a proposal", policy, r, err)
		}
		if m := show(t, p.owner, old); m.SupersededBy != "" {
			t.Errorf("%s: an agent replaced what a person approved", policy)
		}
		if _, links := waits(t, p.owner); !slices.Equal(links, []string{r.Link}) {
			t.Errorf("%s: %v wait, want the link", policy, shortened(links))
		}
		other := add(t, p.agent, "belief", "the limit is 400")
		in := api.ReviseRequest{Ref: other, Merge: []string{old}, Draft: api.Draft{Text: "the limit is 500"}}
		if _, err := p.agent.Revise(t.Context(), in); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: a merge of it by an agent: %v, want it forbidden", policy, err)
		}
	}
}
