package recall_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// What a later prompt of the user says against an agent's memory stands in packs in the section of that memory, right
// above it, with or without a question, and in a load; a memory that a person approved keeps its place.
func TestPacksPutTheUsersTurnAbove(t *testing.T) {
	const turn = "From now on our parcels go out with Nordpost, Hansen Freight was late again."
	for _, approved := range []bool{false, true} {
		c := talking(t, "s1")
		full, _, _ := c.Remembers("The parcels go out with Hansen Freight.")
		c.Remembers("The caretaker is Mr Osei.")
		if approved {
			person, err := c.Agent.As(engine.Caller{Origin: memory.OriginOwner})
			if err != nil {
				t.Fatal(err)
			}
			approve(t, person, full)
		}
		said, ref := briefOf(c.Prompts(turn)), briefOf(full)
		c.Prompts("Thanks, now look at the login page.")
		for name, pack := range map[string]func(budget int) (api.ContextReply, error){
			"question": func(n int) (api.ContextReply, error) {
				return c.Agent.Context(t.Context(), api.ContextRequest{Query: "With whom do the parcels go out?", Budget: n})
			},
			"another": func(n int) (api.ContextReply, error) {
				return c.Agent.Context(t.Context(), api.ContextRequest{Query: "Hansen Freight", Budget: n})
			},
			"no question": func(n int) (api.ContextReply, error) {
				return c.Agent.Context(t.Context(), api.ContextRequest{Budget: n})
			},
			"load": func(n int) (api.ContextReply, error) { return c.Agent.Load(t.Context(), api.LoadRequest{Budget: n}) },
		} {
			r, err := pack(2000)
			if err != nil {
				t.Fatal(err)
			}
			var body struct {
				Sections []struct {
					Name    string
					Entries []struct {
						Ref, Why, Text string
						Marks          []string
					}
				}
			}
			if err := json.Unmarshal(r.Body, &body); err != nil {
				t.Fatalf("%v: %s", err, r.Body)
			}
			var before, at, times = "", "", 0
			for _, s := range body.Sections {
				last := ""
				for _, en := range s.Entries {
					if en.Ref == ref {
						at, before = s.Name, last
						if marks := strings.Join(en.Marks, "|"); !strings.Contains(marks, "the user said otherwise") {
							t.Errorf("%s: marks %q", name, marks)
						}
					}
					if en.Text == turn {
						times++
						if last = en.Ref; !approved && !strings.Contains(en.Why, "said, not reviewed") {
							t.Errorf("%s: the turn is marked %q", name, en.Why)
						}
					} else {
						last = ""
					}
				}
			}
			if !approved && (at == "" || before != said || times != 1) {
				t.Errorf("%s: above %s in %q stands %q, the turn is given %d times\n%s", name, ref, at, before, times, r.Body)
			}
			if approved && (at == "" || before != "" || name == "load" && times > 0) {
				t.Errorf("%s: above what a person approved, in %q, stands %q\n%s", name, at, before, r.Body)
			}
			for _, n := range []int{100, 130, 160, 200, 250, 300} { // a memory that is given has the turn above it, or its mark
				r, err := pack(n)
				text := string(r.Body)
				if err != nil {
					t.Fatal(err)
				}
				if i := strings.Index(text, `"The parcels go out`); i >= 0 && !strings.Contains(text, "Nordpost") {
					t.Errorf("%s of %d: the older is given alone\n%s", name, n, text)
				}
			}
		}
	}
}

// shortOf returns a ref as packs have it.
func briefOf(ref string) string {
	kind, id, _ := strings.Cut(ref, ":")
	return kind + ":" + id[:8]
}
