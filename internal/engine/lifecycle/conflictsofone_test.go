package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// However often an agent says otherwise than a person decided, that is one entry of a start.
func TestWhatGoesAgainstADecisionIsOneEntry(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := add(t, p.Owner, "note", "The gateway listens on port 8080")
	if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		if _, err := p.Agent.Remember(t.Context(), api.RememberRequest{
			Text: fmt.Sprintf("The gateway listens on port %d.", 9001+i),
		}); err != nil {
			t.Fatal(err)
		}
	}
	pack, err := p.Agent.Load(t.Context(), api.LoadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := pack.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "link:") && strings.Contains(line, "port 8080") {
			said++
		}
	}
	if said != 1 || !strings.Contains(string(text), "more against it: `conflicts`)") {
		t.Errorf("it is said %d times: %s", said, text)
	}
}
