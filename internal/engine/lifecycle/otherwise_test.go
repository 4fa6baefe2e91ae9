package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What only the user said stands against an agent's memory in each reading, and first in a search.
func TestWhatTheUserSaidStandsAgainstAMemory(t *testing.T) {
	c := talking(t, "s1")
	c.Remembers("The parcels go out with Hansen Freight.")
	c.Prompts("From now on our parcels go out with Nordpost, Hansen Freight was late again.")
	marked := func(marks []string) bool {
		return slices.ContainsFunc(marks, func(m string) bool {
			return strings.HasPrefix(m, "the user said otherwise, ") && strings.Contains(m, "Nordpost")
		})
	}
	list, err := c.Agent.List(t.Context(), api.ListRequest{})
	if err != nil || len(list.Memories) != 1 || !marked(list.Memories[0].Marks) {
		t.Errorf("list: %+v, %v", list.Memories, err)
	}
	r, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "With whom do the parcels go out?"})
	if err != nil || len(r.Results) < 2 || !strings.Contains(r.Results[0].Text, "Nordpost") {
		t.Errorf("recall: %+v, %v", r.Results, err)
	}
	load, err := c.Agent.Load(t.Context(), api.LoadRequest{})
	if err != nil || !strings.Contains(string(load.Body), "the user said otherwise") {
		t.Errorf("load: %s, %v", load.Body, err)
	}
}

// Two sentences that each say of what they are do not together speak against a third thing; one that does not say it
// speaks of what the one before it named.
func TestSentencesOfATurnAreOfTheirOwnSubjects(t *testing.T) {
	for prompt, want := range map[string]bool{
		"Please look at the label today. Prefer short names in the shop courier, as in build 130.": false,
		"The shop label limit went up. It is 300 requests a minute now.":                           true,
	} {
		c := talking(t, "s1")
		c.Remembers("The shop label limit is 250 requests a minute since build 103.")
		c.Prompts(prompt)
		list, err := c.Agent.List(t.Context(), api.ListRequest{})
		if err != nil || len(list.Memories) != 1 {
			t.Fatal(list, err)
		}
		against := slices.ContainsFunc(list.Memories[0].Marks, func(m string) bool {
			return strings.HasPrefix(m, "the user said otherwise, ")
		})
		if against != want {
			t.Errorf("%q: against is %v, want %v: %v", prompt, against, want, list.Memories[0].Marks)
		}
	}
}

// Of several things that a memory says, a correction ends those that the new one says; undo takes that back.
func TestACorrectionInPart(t *testing.T) {
	c := talking(t, "s1")
	old, _, _ := c.Remembers("The fair is on 3 May, it opens at nine and entry costs 4 euros.")
	now, _, _ := c.Remembers("Entry to the fair costs 5 euros.")
	r, err := c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, By: now})
	if err != nil || r.Done != "replaced in part" || !strings.Contains(r.Hint, "3 May") {
		t.Fatalf("%+v, %v", r, err)
	}
	marks := func() []string {
		m, err := c.Agent.List(t.Context(), api.ListRequest{})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range m.Memories {
			if one.Ref == old {
				return one.Marks
			}
		}
		return []string{"gone"}
	}
	in := func(m string) bool { return strings.HasPrefix(m, "in part replaced by ") }
	if !slices.ContainsFunc(marks(), in) {
		t.Errorf("marks: %q", marks())
	}
	if u, err := c.Agent.Undo(t.Context(), api.UndoRequest{Ref: r.Link}); err != nil || slices.ContainsFunc(marks(), in) {
		t.Errorf("after undo: %q, %+v, %v", marks(), u, err)
	}
}
