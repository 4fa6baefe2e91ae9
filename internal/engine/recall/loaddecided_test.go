package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// However many facts are newer, a session begins with what was decided, what may have taken the place of that, and what
// is preferred; what is left out is counted, with the way to get it.
func TestLoadBeginsWithWhatWasDecided(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	draft := func(kind, typ, text string) {
		write(t, p.Agent, api.AddRequest{Draft: api.Draft{Kind: kind, Type: typ, Text: text}})
	}
	draft("note", "decision", "We deploy on Tuesdays")
	draft("note", "decision", "Orders are kept in Postgres")
	draft("note", "convention", "Branches are named after tickets")
	if r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: "We no longer deploy on Tuesdays"}); err != nil ||
		len(r.Links) != 1 {
		t.Fatalf("%v, %+v", err, r.Links)
	}
	for i := range 120 {
		draft("belief", "", fmt.Sprintf("Machine number %d stands in the cellar beside the boiler", i))
		if i < 110 {
			draft("note", "", fmt.Sprintf("Somebody walked by machine number %d and looked at it", i))
		}
	}
	made, err := p.Agent.Load(t.Context(), api.LoadRequest{Budget: 800})
	if err != nil {
		t.Fatal(err)
	}
	text, err := made.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, want := range []string{
		"We no longer deploy on Tuesdays", "Orders are kept in Postgres", "We deploy on Tuesdays", "Branches are named",
		"Machine number 119", "left out: ", "for the budget", "recall finds them",
	} {
		i := strings.Index(string(text), `"`+want)
		if !strings.Contains(want, "left out") && !strings.Contains(want, "budget") && !strings.Contains(want, "recall") {
			if i <= at {
				t.Errorf("%q stands at %d, after %d:\n%s", want, i, at, text)
			}
			at = i
		} else if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
