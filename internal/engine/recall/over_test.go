package recall_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What a person says is over stands below what holds now, marked with its day, and is not what
// is known now.
func TestOverIsGivenAsOver(t *testing.T) {
	p := newPeople(t)
	add := func(text string, about ...string) string {
		ref := write(t, p.Owner, api.AddRequest{
			Draft: api.Draft{Kind: "belief", Text: text}, Meta: api.Meta{About: about},
		})
		if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
			t.Fatal(err)
		}
		return ref
	}
	old := add("The printer is on floor 2", "Printer")
	now := add("The printer in the lobby is on floor 7", "Printer")
	r, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: old, Is: "over"})
	if err != nil || r.Done != "ended" {
		t.Fatalf("%v, %+v", err, r)
	}
	p.At.Add(1)
	over := r.Ref
	found := search(t, p.Agent, api.SearchRequest{Query: "printer on floor 2"})
	if got := refs(found); len(got) != 2 || got[0] != now || got[1] != over {
		t.Errorf("found %+v", found.Results)
	}
	line := lineOf(found, over)
	if line == nil || line.Until == "" || line.Hidden != "" {
		t.Errorf("%+v", line)
	}
	s, err := p.Owner.Subject(t.Context(), engine.SubjectRequest{Name: "Printer"})
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, e := range s.Events {
		if e.Ref == over {
			seen = e.Until != "" && e.Hidden == "over"
		}
		if e.Ref == now && (e.Until != "" || e.Hidden != "") {
			t.Errorf("what holds now: %+v", e)
		}
	}
	if !seen {
		t.Errorf("the page gives as known now what is over: %+v", s.Events)
	}
	front, err := p.Owner.Found(t.Context(), engine.FoundRequest{Here: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range front.Results {
		if f.Ref == over && (f.Until == "" || f.Hidden != "over") {
			t.Errorf("the front: %+v", f)
		}
	}
}
