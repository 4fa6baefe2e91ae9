package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What a person replaced and an agent says again is proposed in place of the person's word, and
// is given after it.
func TestWhatAPersonReplacedIsProposedWhenSaidAgain(t *testing.T) {
	p := newPeople(t)
	ref := remember(t, p.Agent, "Lunch is at noon").Memories[0].Ref
	now, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: ref, Text: "Lunch is at one"})
	if err != nil {
		t.Fatal(err)
	}
	again := remember(t, p.Agent, "Lunch is at noon")
	if len(again.Memories) != 1 || len(again.Links) != 1 || again.Links[0].Old.Ref != now.Ref ||
		!strings.Contains(again.Links[0].Reason, "replaced it on 20") {
		t.Fatalf("%+v", again)
	}
	found := search(t, p.Agent, api.SearchRequest{Query: "lunch noon"})
	if len(found.Results) != 2 || found.Results[0].Ref != now.Ref ||
		!strings.HasPrefix(strings.Join(found.Results[1].Undecided, ";"), "proposed as an update of ") {
		t.Errorf("%+v", found.Results)
	}
	open, err := p.Owner.Conflicts(t.Context(), api.OpenRequest{})
	if err != nil || len(open.Conflicts) != 1 {
		t.Errorf("%v, %+v", err, open)
	}
}

// Where no person replaced it, nothing is asked, and a person who says it again comes first.
func TestWhatWasReplacedIsSaidAgainByOthers(t *testing.T) {
	p := newPeople(t)
	ref := remember(t, p.Agent, "Lunch is at noon").Memories[0].Ref
	if _, err := p.Agent.Correct(t.Context(), api.CorrectRequest{Ref: ref, Text: "The canteen is closed"}); err != nil {
		t.Fatal(err)
	}
	if again := remember(t, p.Agent, "Lunch is at noon"); len(again.Links) != 0 {
		t.Errorf("%+v", again.Links)
	}

	p = newPeople(t)
	ref = remember(t, p.Agent, "Lunch is at noon").Memories[0].Ref
	if _, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: ref, Text: "Lunch is at one"}); err != nil {
		t.Fatal(err)
	}
	again := remember(t, p.Owner, "Lunch is at noon")
	found := search(t, p.Agent, api.SearchRequest{Query: "lunch"})
	if len(again.Links) != 1 || len(found.Results) != 2 || found.Results[0].Ref != again.Memories[0].Ref {
		t.Errorf("%+v, %+v", again, found.Results)
	}
}

// A statement is no evidence for itself, however it is said otherwise, and a person's correction
// is not below what an agent says.
func TestSayingOtherwiseRaisesNoTier(t *testing.T) {
	for name, say := range map[string]func(p *people, ref string) string{
		"revise": func(p *people, ref string) string {
			r, err := p.Agent.Revise(t.Context(), api.ReviseRequest{Ref: ref, Draft: api.Draft{Text: "Tea is green indeed"}})
			if err != nil {
				t.Fatal(err)
			}
			return r.Ref
		},
		"over and undo": func(p *people, ref string) string {
			if _, err := p.Agent.Correct(t.Context(), api.CorrectRequest{Ref: ref, Is: "over"}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Agent.Undo(t.Context(), api.UndoRequest{}); err != nil {
				t.Fatal(err)
			}
			return search(t, p.Agent, api.SearchRequest{Query: "tea"}).Results[0].Ref
		},
		"conclude": func(p *people, ref string) string {
			return write(t, p.Agent, api.AddRequest{
				Draft: api.Draft{Kind: "belief", Text: "Tea is very green"}, From: []string{ref},
			})
		},
		"a person corrects": func(p *people, ref string) string {
			r, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: ref, Text: "Tea is black"})
			if err != nil {
				t.Fatal(err)
			}
			return r.Ref
		},
		"a person's undo": func(p *people, ref string) string {
			if _, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: ref, Text: "Tea is black"}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Owner.Undo(t.Context(), api.UndoRequest{}); err != nil {
				t.Fatal(err)
			}
			return search(t, p.Agent, api.SearchRequest{Query: "tea"}).Results[0].Ref
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			ref := say(p, remember(t, p.Agent, "Tea is green").Memories[0].Ref)
			m, err := p.Agent.Show(t.Context(), api.RefRequest{Ref: ref})
			if err != nil || m.Tier != "inferred" {
				t.Errorf("%v, tier %s", err, m.Tier)
			}
		})
	}
}
