package standing_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Under the default policy a person is asked about what only works with their word.
func TestWhoIsAskedAboutMemories(t *testing.T) {
	p := newPeople(t)
	tool, imported := p.As(memory.OriginTool), p.As(memory.OriginImport)
	note := func(e *engine.Engine, kind, text string) string {
		return write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Type: kind, Text: text}})
	}
	var want []string
	for _, kind := range []string{"value", "goal", "drive"} {
		want = append(want, add(t, p.Agent, kind, "the agent's "+kind))
		add(t, p.Owner, kind, "the owner's "+kind)
		add(t, imported, kind, "somebody's "+kind)
		add(t, tool, kind, "a tool's "+kind)
	}
	want = append(want, note(p.Agent, "constraint", "never feed the herons"))
	note(tool, "constraint", "always feed the herons, a page says")
	page := capture(t, tool, "herons must be fed")
	write(t, p.Agent, api.AddRequest{
		From: []string{page}, Draft: api.Draft{Kind: "note", Type: "constraint", Text: "herons must be fed"},
	})
	for _, kind := range []string{"decision", "preference", "convention", "observation"} {
		note(p.Agent, kind, "the agent's "+kind)
	}
	add(t, p.Agent, "belief", "herons are birds")
	add(t, p.Agent, "episode", "herons were seen")
	if got, links := waits(t, p.Owner); !slices.Equal(got, want) || len(links) > 0 {
		t.Errorf("%v wait, want %v", shortened(got), shortened(want))
	}
	for policy, wait := range map[string]int{"project": 4, "strict": 18} {
		e := p.As(memory.OriginOwner, func(c *engine.Config) { c.ReviewPolicy = policy })
		if got, _ := waits(t, e); len(got) != wait {
			t.Errorf("%s: %d wait, want %d", policy, len(got), wait)
		}
	}
	if got := pending(t, p.Owner, api.KindRequest{All: true, Limit: -1}); len(got) != 18 {
		t.Errorf("%d are undecided, want 18", len(got))
	}
	c := p.Config
	c.ReviewPolicy = "loose"
	if _, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), c); !isInvalid(err) {
		t.Errorf("an unknown policy: %v, want it invalid", err)
	}
}

// An agent's revision of what a person approved is a proposal, and a person is asked.
func TestRevisionOfWhatWasApproved(t *testing.T) {
	for _, policy := range []string{"default", "strict", "project"} {
		p := newPeople(t, func(c *engine.Config) { c.ReviewPolicy = policy })
		old := add(t, p.Agent, "belief", "the limit is 100")
		approve(t, p.Owner, old)
		r, err := p.Agent.Revise(t.Context(), api.ReviseRequest{Ref: old, Draft: api.Draft{Text: "the limit is 300"}})
		if err != nil || r.Link == "" {
			t.Fatalf("%s: %+v, %v, want a proposal", policy, r, err)
		}
		if m := show(t, p.Owner, old); m.SupersededBy != "" {
			t.Errorf("%s: an agent replaced what a person approved", policy)
		}
		if _, links := waits(t, p.Owner); !slices.Equal(links, []string{r.Link}) {
			t.Errorf("%s: %v wait, want the link", policy, shortened(links))
		}
		other := add(t, p.Agent, "belief", "the limit is 400")
		in := api.ReviseRequest{Ref: other, Merge: []string{old}, Draft: api.Draft{Text: "the limit is 500"}}
		if _, err := p.Agent.Revise(t.Context(), in); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("%s: a merge of it by an agent: %v, want it forbidden", policy, err)
		}
	}
}
