package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A decision is changed by the user, taken up by the agent, and said back again: what was settled is given no more, and
// what stands is not marked as if the older word might replace it.
func TestSaidBackAgain(t *testing.T) {
	c := talking(t, "s1")
	correct := func(old, by string) api.CorrectReply {
		reply, err := c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, By: by})
		if err != nil || reply.Done != "replaced" {
			t.Fatalf("%+v, %v", reply, err)
		}
		return reply
	}
	c.Prompts("We decided: orders are kept in SQLite, one file is easy to back up.")
	first, _, _ := c.Remembers("Orders are kept in SQLite.")
	c.Prompts("Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on.")
	second, _, _ := c.Remembers("Orders are kept in PostgreSQL.")
	correct(first, second)
	c.Prompts("Back again: orders are kept in SQLite, PostgreSQL was too much work.")
	third, _, _ := c.Remembers("Orders are kept in SQLite.")
	if third == first {
		t.Fatalf("what is said again is %s, as before", third)
	}
	if reply := correct(second, third); len(reply.Superseded) != 2 {
		t.Errorf("corrected with what the user's turn made: %v", reply.Superseded)
	}
	reply, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Where are orders kept?"})
	if err != nil || len(reply.Results) == 0 || reply.Results[0].Ref != third || len(reply.Results[0].Marks) > 0 {
		t.Fatalf("%+v, %v", reply.Results, err)
	}
	for _, r := range reply.Results {
		if strings.Contains(r.Text, "kept in PostgreSQL") && len(r.Marks) == 0 {
			t.Errorf("given as if it were so: %q", r.Text)
		}
	}
}

// A proposal whose older end was corrected since, by something newer than its other end, is one the other way round:
// a person who keeps the newer one keeps what was said last.
func TestAProposalIsTurnedByACorrection(t *testing.T) {
	c := talking(t, "s1")
	first, _, _ := c.Remembers("Orders are kept in SQLite.")
	c.Prompts("Orders are kept in PostgreSQL from now on.")
	reply, err := c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: first, Text: "Orders are kept in DuckDB."})
	if err != nil {
		t.Fatal(err)
	}
	open, err := c.Agent.Conflicts(t.Context(), api.OpenRequest{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range open.Conflicts {
		if l.State != "open" && l.State != "proposed" {
			continue
		}
		if l.New.Ref != reply.Ref || !strings.Contains(l.Old.Headline, "PostgreSQL") {
			t.Errorf("%s stands against %s as the newer one", l.New.Headline, l.Old.Headline)
		}
	}
}
