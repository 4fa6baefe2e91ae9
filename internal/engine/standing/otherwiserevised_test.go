package standing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// marksOn returns the marks of the one memory that is current and has some words.
func marksOn(t *testing.T, c *talk, has string) []string {
	t.Helper()
	l, err := c.Agent.List(t.Context(), api.ListRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range l.Memories {
		if strings.Contains(m.Headline, has) {
			return m.Marks
		}
	}
	t.Fatalf("%q is not among %+v", has, l.Memories)
	return nil
}

// What the user said otherwise goes with a memory to its revisions as long as they say what the user spoke against: not
// to one that is what the user said, and back where that is undone.
func TestWhatTheUserSaidGoesWithARevision(t *testing.T) {
	said := func(marks []string) bool {
		return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(m, "the user said otherwise, ") })
	}
	const old = "The parcels go out with Hansen Freight."
	for name, one := range map[string]struct {
		in   api.ReviseRequest
		want bool
	}{
		"tags":        {api.ReviseRequest{Meta: api.Meta{Tags: []string{"parcels"}}}, true},
		"reworded":    {api.ReviseRequest{Draft: api.Draft{Text: "Hansen Freight fetches the parcels at noon."}}, true},
		"another":     {api.ReviseRequest{Draft: api.Draft{Text: "The parcels go out with Eastline."}}, true},
		"what I said": {api.ReviseRequest{Draft: api.Draft{Text: "The parcels go out with Nordpost."}}, false},
		"both": {
			api.ReviseRequest{Draft: api.Draft{Text: "The parcels go out with Nordpost, with Hansen Freight until May."}}, false,
		},
		"ended": {api.ReviseRequest{Meta: api.Meta{ValidUntil: "2026-01-02T03:06:00Z"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := talking(t, "s1")
			ref, _, _ := c.Remembers(old)
			c.Prompts("From now on our parcels go out with Nordpost, Hansen Freight was late again.")
			if !said(marksOn(t, c, "parcels")) {
				t.Fatal("the memory has no mark")
			}
			one.in.Ref = ref
			for range 40 {
				c.Agent.C.Now() // it has ended by then
			}
			r, err := c.Agent.Revise(t.Context(), one.in)
			if err != nil {
				t.Fatal(err)
			}
			marks := show(t, c.Agent, r.Ref).Marks
			if said(marks) != one.want {
				t.Errorf("%q", marks)
			}
			if one.want { // and to what is revised again
				r, err = c.Agent.Revise(t.Context(), api.ReviseRequest{Ref: r.Ref, Meta: api.Meta{Tags: []string{"again"}}})
				if err != nil || !said(show(t, c.Agent, r.Ref).Marks) {
					t.Errorf("revised again: %v, %q", err, show(t, c.Agent, r.Ref).Marks)
				}
				undo(t, c.Agent)
			}
			undo(t, c.Agent)
			if marks := marksOn(t, c, "Hansen"); !said(marks) {
				t.Errorf("after undo: %q", marks)
			}
		})
	}
}

// A person who writes it again after what they said has the last word, and a part that was replaced stays marked.
func TestMarksOfRevisionsByAPersonAndInPart(t *testing.T) {
	c := talking(t, "s1")
	ref, _, _ := c.Remembers("The parcels go out with Hansen Freight.")
	c.Prompts("From now on our parcels go out with Nordpost, Hansen Freight was late again.")
	person, err := c.Agent.As(engine.Caller{Origin: memory.OriginOwner})
	if err != nil {
		t.Fatal(err)
	}
	revise(t, person, ref, "The parcels go out with Hansen Freight again.")
	if marks := marksOn(t, c, "parcels"); len(marks) > 0 {
		t.Errorf("a person's later word: %q", marks)
	}
	fair, _, _ := c.Remembers("The fair is on 3 May, it opens at nine and entry costs 4 euros.")
	entry, _, _ := c.Remembers("Entry to the fair costs 5 euros.")
	if err := enginetest.Do(c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: fair, By: entry})); err != nil {
		t.Fatal(err)
	}
	in := func(m string) bool { return strings.HasPrefix(m, "in part replaced by ") }
	r, err := c.Agent.Revise(t.Context(), api.ReviseRequest{Ref: fair, Meta: api.Meta{Tags: []string{"fair"}}})
	if err != nil || !slices.ContainsFunc(show(t, c.Agent, r.Ref).Marks, in) {
		t.Errorf("%v, %q", err, show(t, c.Agent, r.Ref).Marks)
	}
}
