package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What is drafted later is of the time at which its words were said: of two prompts that were drafted at once the later
// one is the newer, and a prompt from before a memory is the older of the two.
func TestWhatIsDraftedLaterIsOfItsWordsTime(t *testing.T) {
	const before, after = "We decided: orders are kept in SQLite, one file is easy to back up.",
		"Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on."
	for name, say := range map[string]func(c *talk){
		"two prompts":        func(c *talk) { c.Prompts(before); c.Prompts(after) },
		"a prompt, a memory": func(c *talk) { c.Prompts(before); c.Remembers("Orders are kept in PostgreSQL.") },
		"a memory, a prompt": func(c *talk) { c.Remembers("Orders are kept in SQLite."); c.Prompts(after) },
		"two, and one between": func(c *talk) {
			c.Prompts(before)
			c.Prompts("What is the plan for today?")
			c.Prompts(after)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := talking(t, "s1")
			say(c)
			if _, err := c.Agent.Process(t.Context(), api.ProcessRequest{}); err != nil {
				t.Fatal(err)
			}
			reply, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Where are orders kept?"})
			if err != nil || len(reply.Results) < 2 {
				t.Fatalf("%+v, %v", reply, err)
			}
			if !strings.Contains(reply.Results[0].Text, "PostgreSQL") {
				t.Errorf("first is %q", reply.Results[0].Text)
			}
			for _, r := range reply.Results {
				if strings.Contains(r.Text, "in SQLite") && len(r.Marks) == 0 {
					t.Errorf("the older stands unmarked: %q", r.Text)
				}
			}
		})
	}
}

// Sessions are drafted in the order in which they were held, whatever they are called; and where a later one was
// drafted first, what it says against a memory of an earlier one is drafted when that memory comes.
func TestSessionsAreDraftedInTheirOrder(t *testing.T) {
	const before, after = "We decided: orders are kept in SQLite, one file is easy to back up.",
		"Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on."
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
		for _, later := range []bool{false, true} {
			c := talking(t, "s1")
			c.PromptsIn(names[0], before)
			c.PromptsIn(names[1], after)
			if later {
				if _, err := c.Agent.Process(t.Context(), api.ProcessRequest{Session: names[1]}); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Agent.Process(t.Context(), api.ProcessRequest{Session: names[0]}); err != nil {
					t.Fatal(err)
				}
			} else if _, err := c.Agent.Process(t.Context(), api.ProcessRequest{}); err != nil {
				t.Fatal(err)
			}
			reply, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Where are orders kept?"})
			if err != nil || len(reply.Results) < 2 {
				t.Fatalf("%+v, %v", reply, err)
			}
			if first := reply.Results[0]; first.Type != "belief" || !strings.Contains(first.Text, "PostgreSQL") {
				t.Errorf("sessions %v, the later one first %v: first is %q", names, later, first.Text)
			}
		}
	}
}

// Words of an older session that come later, as from a file that a host wrote, stand below what was said since.
func TestOlderWordsThatComeLater(t *testing.T) {
	c := talking(t, "s1")
	c.Prompts("Correction: SQLite locked under ten writers. Orders are kept in PostgreSQL from now on.")
	for _, older := range []bool{false, true} {
		if older {
			if _, err := c.Agent.Observe(t.Context(), []engine.Observed{{
				ID: "old", Text: "We decided: orders are kept in SQLite, one file is easy to back up.", Event: "user_prompt",
				Speaker: "user", Session: "old", Platform: "claude-code", OccurredAt: "2020-01-02T10:00:00Z",
			}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Agent.Process(t.Context(), api.ProcessRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: "Where are orders kept?"})
	if err != nil || len(reply.Results) < 2 {
		t.Fatalf("%+v, %v", reply, err)
	}
	if first := reply.Results[0]; first.Type != "belief" || !strings.Contains(first.Text, "PostgreSQL") {
		t.Errorf("first is %q", first.Text)
	}
}
