package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// A correction of one of several facts keeps the others: asked for one of these, it is given, current and unmarked, and
// asked for what was corrected, the new value is first and the old one is not given as current.
func TestACorrectionOfOneFactKeepsTheRest(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ old, now, rest, gone, asksRest, asksNow string }{
		{
			"We deploy on Fridays and the staging port is 8080.", "The staging port is 9090.", "We deploy on Fridays", "8080",
			"On which day do we deploy?", "What is the staging port?",
		},
		{
			"We deploy on Fridays and the staging port is 8080.", "We deploy on Mondays.", "The staging port is 8080", "Fridays",
			"What is the staging port?", "On which day do we deploy?",
		},
		{
			"Wir deployen freitags und der Staging-Port ist 8080.", "Der Staging-Port ist 9090.",
			"Wir deployen freitags", "8080",
			"An welchem Tag deployen wir?", "Was ist der Staging-Port?",
		},
		{
			"Die Lieferungen kommen donnerstags und das Lager liegt in Köln.", "Das Lager liegt in Bonn.",
			"Die Lieferungen kommen donnerstags", "Köln", "Wann kommen die Lieferungen?", "Wo liegt das Lager?",
		},
		{
			"We keep orders in SQLite; Ben runs the nightly export.", "Mira runs the nightly export.",
			"We keep orders in SQLite", "Ben", "Where do we keep orders?", "Who runs the nightly export?",
		},
		{
			"The barn is rented from the parish, and Ben keeps the key.", "Mira keeps the key.",
			"The barn is rented from the parish", "Ben", "From whom is the barn rented?", "Who keeps the key?",
		},
		{
			"Our office is in Leeds but the invoices go to York.", "The invoices go to Hull.",
			"Our office is in Leeds", "York", "Where is our office?", "Where do the invoices go?",
		},
		{
			"Backups run at 02:00 and are kept for 30 days.", "Backups are kept for 90 days.", "", "",
			"When do backups run?", "How long are backups kept?",
		},
		{
			"We use pnpm for the frontend, the API is written in Go and Ada reviews migrations.", "Ben reviews migrations.",
			"We use pnpm for the frontend", "Ada", "What do we use for the frontend?",
			"Who reviews migrations?",
		},
		{
			"Nous déployons le vendredi et le port de staging est 8080.", "Le port de staging est 9090.",
			"Nous déployons le vendredi", "8080", "Quand déployons-nous ?", "Quel est le port de staging ?",
		},
	} {
		for how, correct := range map[string]func(c *talk, old string) (api.CorrectReply, error){
			"text": func(c *talk, old string) (api.CorrectReply, error) {
				return c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, Text: one.now})
			},
			"by": func(c *talk, old string) (api.CorrectReply, error) {
				now, _, _ := c.Remembers(one.now)
				return c.Agent.Correct(c.Context(), api.CorrectRequest{Ref: old, By: now})
			},
			"replaces": func(c *talk, old string) (api.CorrectReply, error) {
				r, err := c.Agent.Remember(c.Context(), api.RememberRequest{Text: one.now, Replaces: []string{old}})
				return api.CorrectReply{WriteReply: r.WriteReply, Done: "replaced in part"}, err
			},
		} {
			t.Run(how+" "+one.now, func(t *testing.T) {
				c := talking(t, "s1")
				c.Remembers("The bakery on the corner opens at six.")
				old, _, _ := c.Remembers(one.old)
				before := currentLines(t, c.Agent)
				r, err := correct(c, old)
				if err != nil {
					t.Fatal(err)
				}
				if one.rest == "" { // it is not plain what stays: as much is said
					if len(r.Stays) > 0 {
						t.Errorf("%+v", r)
					}
					return
				}
				if len(r.Stays) == 0 || r.Done != "replaced in part" || !strings.Contains(r.Hint, one.rest) {
					t.Fatalf("%+v", r)
				}
				got, err := c.Agent.Recall(t.Context(), api.RecallRequest{Query: one.asksRest})
				if err != nil || len(got.Results) == 0 || !strings.Contains(got.Results[0].Text, one.rest) ||
					len(got.Results[0].Marks)+len(got.Results[0].Undecided) > 0 {
					t.Errorf("%s: %+v, %v", one.asksRest, got.Results, err)
				}
				got, err = c.Agent.Recall(t.Context(), api.RecallRequest{Query: one.asksNow})
				if err != nil || len(got.Results) == 0 || !strings.Contains(one.now, strings.TrimSuffix(got.Results[0].Text, ".")) {
					t.Errorf("%s: %+v, %v", one.asksNow, got.Results, err)
				}
				for _, x := range got.Results {
					if strings.Contains(x.Text, one.gone) && !strings.Contains(strings.Join(x.Marks, "|"), "replaced by") {
						t.Errorf("%s: the old value as current: %+v", one.asksNow, x)
					}
				}
				for _, q := range []string{one.asksNow, one.asksRest, ""} {
					p, err := c.Agent.Context(t.Context(), api.ContextRequest{Query: q})
					if err != nil || strings.Contains(string(p.Body), one.gone) || q == one.asksRest &&
						!strings.Contains(string(p.Body), one.rest) {
						t.Errorf("context %q: %s, %v", q, p.Body, err)
					}
				}
				load, err := c.Agent.Load(t.Context(), api.LoadRequest{})
				if err != nil || strings.Contains(string(load.Body), one.gone) || !strings.Contains(string(load.Body), one.rest) {
					t.Errorf("load: %s, %v", load.Body, err)
				}
				why, err := c.Agent.Why(t.Context(), api.WhyRequest{Ref: r.Stays[0]})
				if err != nil || len(why.Sources) == 0 || why.Tier != show(t, c.Agent, old).Tier {
					t.Errorf("why: %+v, %v", why, err)
				}
				u := undo(t, c.Agent)
				if how == "by" {
					undo(t, c.Agent)
				}
				if now := currentLines(t, c.Agent); !slices.Equal(now, before) || !slices.Contains(u.Of, r.Stays[0]) {
					t.Errorf("after undo: %q, want %q; %+v", now, before, u)
				}
			})
		}
	}
}

// What was said against the part that stays goes with it, and what was said against the other part does not.
func TestMarksOfWhatStays(t *testing.T) {
	c := talking(t, "s1")
	old, _, _ := c.Remembers("We deploy on Fridays and the staging port is 8080.")
	c.Prompts("From now on the staging port is 9090, 8080 is taken.")
	r, err := c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The staging port is 9090."})
	if err != nil || len(r.Stays) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := show(t, c.Agent, r.Stays[0]); len(m.Marks) > 0 {
		t.Errorf("what stays: %q", m.Marks)
	}
	c = talking(t, "s1")
	old, _, _ = c.Remembers("We deploy on Fridays and the staging port is 8080.")
	c.Prompts("We deploy on Mondays from now on, Fridays were too late.")
	r, err = c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The staging port is 9090."})
	if err != nil || len(r.Stays) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := show(t, c.Agent, r.Stays[0]); !strings.Contains(strings.Join(m.Marks, "|"), "the user said otherwise") {
		t.Errorf("what stays, and the user spoke against: %q", m.Marks)
	}
}

// What a person approved is approved in what stays of it, and an agent only proposes; what a person rejected does not
// come back as a part.
func TestWhatStaysOfADecision(t *testing.T) {
	const words = "We deploy on Fridays and the staging port is 8080."
	c := talking(t, "s1")
	person, err := c.Agent.As(engine.Caller{Origin: memory.OriginOwner})
	if err != nil {
		t.Fatal(err)
	}
	old, _, _ := c.Remembers(words)
	approve(t, person, old)
	before := currentLines(t, person)
	r, err := c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The staging port is 9090."})
	if err != nil || r.Done != "proposed" || len(r.Stays) > 0 {
		t.Errorf("an agent: %+v, %v", r, err)
	}
	if err := enginetest.Do(person.Resolve(t.Context(), api.ResolveRequest{Ref: r.Link, Keep: "new"})); err != nil {
		t.Fatal(err)
	}
	if l := currentLines(t, person); len(l) != 2 || !strings.Contains(strings.Join(l, "|"), "We deploy on Fridays") {
		t.Errorf("a person took the proposal: %q", l)
	}
	undo(t, person)
	undo(t, c.Agent)
	r, err = person.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The staging port is 9090."})
	if err != nil || len(r.Stays) != 1 || show(t, person, r.Stays[0]).Review != "approved" {
		t.Fatalf("a person: %+v, %v", r, err)
	}
	undo(t, person)
	if l := currentLines(t, person); !slices.Equal(l, before) {
		t.Errorf("after undo: %q", l)
	}

	c = talking(t, "s1")
	if person, err = c.Agent.As(engine.Caller{Origin: memory.OriginOwner}); err != nil {
		t.Fatal(err)
	}
	day, _, _ := c.Remembers("We deploy on Fridays.")
	reject(t, person, "", day)
	old, _, _ = c.Remembers(words)
	r, err = c.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The staging port is 9090."})
	if err != nil || len(r.Stays) > 0 {
		t.Errorf("a part that was rejected: %+v, %v", r, err)
	}
	for _, line := range currentLines(t, c.Agent) {
		if strings.HasSuffix(line, "deploy on Fridays.") {
			t.Errorf("%q came back", line)
		}
	}
}
