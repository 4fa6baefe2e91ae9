package lifecycle_test

import (
	"encoding/json"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// drafting is a model that drafts these memories of any words, given as kind and text.
func drafting(memories ...[2]string) sim.Generator {
	type one struct {
		Kind       string   `json:"kind"`
		Type       string   `json:"type"`
		Text       string   `json:"text"`
		About      []string `json:"about"`
		Confidence float64  `json:"confidence"`
	}
	all := []one{}
	for _, m := range memories {
		typ := ""
		if m[0] == "note" {
			typ = "observation"
		}
		all = append(all, one{m[0], typ, m[1], []string{}, 0.7})
	}
	return sim.Generator{Answers: map[string]func(sim.Generator, llm.Question) string{
		llm.Extract: func(sim.Generator, llm.Question) string {
			text, err := json.Marshal(map[string]any{"entities": []string{}, "memories": all})
			if err != nil {
				return err.Error()
			}
			return string(text)
		},
	}}
}

// current returns the headlines of the memories that are given, by kind.
func current(t *testing.T, e *engine.Engine) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, kind := range memory.Memories() {
		if kind == memory.KindRaw {
			continue
		}
		list, err := e.List(t.Context(), api.ListRequest{Kind: string(kind)})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list.Memories {
			all[string(kind)+" "+m.Headline]++
		}
	}
	return all
}

func TestRememberMakesAMemoryBeforeItReturns(t *testing.T) {
	p := newPeople(t)
	for text, kind := range map[string]string{
		"Orders are kept in SQLite":                   "belief",
		"Write to customers formally":                 "note",
		"Löschen nur nach Rücksprache mit Frau Kühn.": "note",
		"db: postgres 16":                             "note",
	} {
		r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: text})
		if err != nil || len(r.Memories) == 0 || len(r.Jobs) > 0 {
			t.Fatalf("%q: %+v %v", text, r, err)
		}
		if got := r.Memories[0].Type; got != kind && kind == "belief" {
			t.Errorf("%q became a %s", text, got)
		}
	}
}

func TestAModelRefinesAndNeverDoubles(t *testing.T) {
	for name, c := range map[string]struct {
		said   string
		drafts [][2]string
		want   []string
	}{
		"the same in other words": {
			"Orders are kept in SQLite", [][2]string{{"belief", "The orders are kept in an SQLite database"}},
			[]string{"belief The orders are kept in an SQLite database"},
		},
		"the very same": {
			"Orders are kept in SQLite", [][2]string{{"belief", "Orders are kept in SQLite"}},
			[]string{"belief Orders are kept in SQLite"},
		},
		"of another kind than the note of the words": {
			"Write to customers formally", [][2]string{{"belief", "Customers are addressed formally"}},
			[]string{"belief Customers are addressed formally"},
		},
		"more than the rules found": {
			"Orders are kept in SQLite", [][2]string{
				{"belief", "Orders are kept in SQLite files"}, {"belief", "The shop has no database server"},
			},
			[]string{"belief Orders are kept in SQLite files", "belief The shop has no database server"},
		},
		"nothing": {"Orders are kept in SQLite", nil, []string{"belief Orders are kept in SQLite"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t, func(c2 *engine.Config) { c2.LLM = drafting(c.drafts...) })
			r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: c.said})
			if err != nil || len(r.Memories) != 1 || len(r.Jobs) != 1 {
				t.Fatalf("%+v %v", r, err)
			}
			done, err := p.Agent.RunJobs(t.Context(), api.RunJobsRequest{})
			if err != nil || done.Done == 0 || done.GaveUp > 0 {
				t.Fatalf("%+v %v", done, err)
			}
			got := current(t, p.Agent)
			for _, want := range c.want {
				if got[want] != 1 {
					t.Errorf("%q is there %d times", want, got[want])
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("there are %v, want %v", got, c.want)
			}
		})
	}
}

func TestAModelDoesNotRefineWhatAPersonDecided(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) {
		c.LLM = drafting([2]string{"belief", "The orders are kept in an SQLite database"})
	})
	r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Orders are kept in SQLite"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{r.Memories[0].Ref}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Agent.RunJobs(t.Context(), api.RunJobsRequest{}); err != nil {
		t.Fatal(err)
	}
	if m := show(t, p.Owner, r.Memories[0].Ref); m.Hidden != "" || m.SupersededBy != "" {
		t.Errorf("what a person approved is %q, superseded by %q", m.Hidden, m.SupersededBy)
	}
}

// What a model refines is the agent's act, also where a person runs the jobs: the person decided nothing.
func TestRefiningIsTheAgentsActWhoeverRunsTheJob(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) {
		c.LLM = drafting([2]string{"belief", "Customers are addressed formally"})
	})
	r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Write to customers formally"})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := p.Owner.RunJobs(t.Context(), api.RunJobsRequest{}); err != nil || done.Memories != 1 {
		t.Fatalf("%+v %v", done, err)
	}
	note, raw := show(t, p.Owner, r.Memories[0].Ref), show(t, p.Owner, r.Ref)
	if note.Hidden != "forgotten" || raw.Hidden != "" {
		t.Errorf("the note is %q, want forgotten; the words %q, want as they were", note.Hidden, raw.Hidden)
	}
	for _, c := range note.Claims {
		if c.Author != note.Author {
			t.Errorf("%s was written by %s, want the agent %s", c.Ref, c.Author, note.Author)
		}
	}
}

func TestAModelDoesNotRefineADisputeAway(t *testing.T) {
	p := newPeople(t, func(c *engine.Config) {
		c.LLM = drafting([2]string{"belief", "The orders are kept in an SQLite database"})
	})
	r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "Orders are kept in SQLite"})
	if err != nil {
		t.Fatal(err)
	}
	in := api.WitnessRequest{Ref: r.Memories[0].Ref, Attestation: "dispute", Notes: "they are not"}
	if _, err := p.Owner.Witness(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Agent.RunJobs(t.Context(), api.RunJobsRequest{}); err != nil {
		t.Fatal(err)
	}
	if m := show(t, p.Owner, r.Memories[0].Ref); m.SupersededBy != "" || !m.Disputed {
		t.Errorf("what is disputed was superseded by %q, disputed %v", m.SupersededBy, m.Disputed)
	}
}
