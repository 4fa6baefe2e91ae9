package core_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Fewer than four digits name no record, even where they would fit one alone.
func TestFewDigitsNameNothing(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		ref := add(t, e, "belief", "deploys go out on Mondays")
		kind, id, _ := strings.Cut(ref, ":")
		for n := range 8 {
			for _, typed := range []string{id[:n], kind + ":" + id[:n], strings.ToUpper(id[:n]), " " + id[:n]} {
				_, err := e.Show(t.Context(), api.RefRequest{Ref: typed})
				switch {
				case n < 4 && !errors.Is(err, api.ErrInvalid):
					t.Errorf("Show(%q): %v, want invalid", typed, err)
				case n >= 4 && err != nil:
					t.Errorf("Show(%q): %v", typed, err)
				}
			}
		}
		if _, err := e.Forget(t.Context(), api.ForgetRequest{Refs: []string{id[:3]}}); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("Forget of three digits: %v, want invalid", err)
		}
	})
}

// The error says what was given instead of an ID.
func TestWhatIsNoID(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for typed, want := range map[string]string{
		"slow":     "\"slow\" is not an ID (example: belief:a04e). To find one: `search slow`",
		"slow api": "\"slow api\" is not an ID (example: belief:a04e). To find one: `search`",
		"2":        `"2" is a place in a list, not an ID; take the ID from the line (example: belief:a04e)`,
		"belief:2": `"belief:2" is a place in a list, not an ID; take the ID from the line (example: belief:a04e)`,
		"a0":       `"a0" is too short for an ID; give at least 4 hex digits (example: belief:a04e)`,
		"raw:00":   `"raw:00" is too short for an ID; give at least 4 hex digits (example: belief:a04e)`,
	} {
		if _, err := e.Show(t.Context(), api.RefRequest{Ref: typed}); err == nil || err.Error() != want {
			t.Errorf("Show(%q): %v, want %s", typed, err, want)
		}
	}
}

// A place in a list is answered with its ID where a receipt of the caller's last search has it.
func TestAPlaceOfTheLastSearch(t *testing.T) {
	p := withReceipts(t)
	agent := p.As(memory.OriginAgent, func(c *engine.Config) { c.Session = "s1" })
	other := p.As(memory.OriginAgent, func(c *engine.Config) { c.Session = "s2" })
	for _, words := range []string{"the harbour is red", "the harbour is old", "the pier is long"} {
		add(t, agent, "belief", words)
	}
	search(t, other, api.SearchRequest{Query: "pier", Limit: 1})
	given := search(t, agent, api.SearchRequest{Query: "harbour"})
	if len(given.Results) < 2 {
		t.Fatalf("%d results, want 2", len(given.Results))
	}
	second := given.Results[1].Ref
	for e, want := range map[*engine.Engine]string{
		agent: "2 is a place in a list; its ID is " + second[:len("belief:")+8] + ` (of the search "harbour")`,
		other: `"2" is a place in a list, not an ID; take the ID from the line (example: belief:a04e)`,
	} {
		if _, err := e.Show(t.Context(), api.RefRequest{Ref: "2"}); err == nil || err.Error() != want {
			t.Errorf("Show(2): %v, want %s", err, want)
		}
	}
}
