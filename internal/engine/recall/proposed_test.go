package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What an agent proposes in place of a person's word is given after it, in every reading,
// whoever signed the record that has the word.
func TestProposalIsGivenAfterThePersonsWord(t *testing.T) {
	const floor2 = "The printer is on floor 2"
	words := map[string]func(p *people) string{
		"typed": func(p *people) string {
			return write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: floor2}})
		},
		"said": func(p *people) string { return remember(t, p.Owner, floor2).Memories[0].Ref },
		"approved": func(p *people) string {
			ref := remember(t, p.Agent, floor2).Memories[0].Ref
			if _, err := p.Owner.Approve(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
				t.Fatal(err)
			}
			return ref
		},
	}
	for name, propose := range map[string]func(p *people, old string) string{
		"correct": func(p *people, old string) string {
			r, err := p.Agent.Correct(t.Context(), api.CorrectRequest{Ref: old, Text: "The printer is on floor 9"})
			if err != nil || r.Done != "proposed" {
				t.Fatalf("%v, %+v", err, r)
			}
			return r.Ref
		},
		"remember": func(p *people, _ string) string {
			return remember(t, p.Agent, "The printer is on floor 9 now").Memories[0].Ref
		},
	} {
		for whose, say := range words {
			t.Run(whose+", "+name, func(t *testing.T) {
				p := newPeople(t)
				old := say(p)
				propose(p, old)
				proposedBelow(t, p, old)
			})
		}
	}
}

// proposedBelow checks in every reading that floor 2 is given before floor 9.
func proposedBelow(t *testing.T, p *people, old string) {
	t.Helper()
	for _, query := range []string{"Where is the printer?", "printer floor 9"} {
		for _, limit := range []int{0, 1} {
			found := search(t, p.Agent, api.SearchRequest{Query: query, Limit: limit})
			if len(found.Results) == 0 || found.Results[0].Ref != old ||
				!strings.HasPrefix(strings.Join(found.Results[0].Undecided, ";"), "update proposed by ") {
				t.Errorf("search %q, limit %d: %+v", query, limit, found.Results)
			}
		}
		got, err := p.Agent.Recall(t.Context(), api.RecallRequest{Query: query})
		if err != nil || len(got.Results) == 0 || got.Results[0].Ref != old {
			t.Errorf("recall %q: %v, %+v", query, err, got.Results)
		}
		pack, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		givenInOrder(t, pack)
	}
	pack, err := p.Agent.Context(t.Context(), api.ContextRequest{})
	if err != nil {
		t.Fatal(err)
	}
	givenInOrder(t, pack)
	if pack, err = p.Agent.Load(t.Context(), api.LoadRequest{}); err != nil {
		t.Fatal(err)
	}
	givenInOrder(t, pack)
}

// The newer of two that one person said comes first, although an agent's key signed both. An
// agent's own words with a person's as their source have no such weight.
func TestNewerWordOfAPersonIsGivenFirst(t *testing.T) {
	p := newPeople(t)
	old := remember(t, p.Owner, "The printer is on floor 2").Memories[0].Ref
	said := remember(t, p.Owner, "The printer is on floor 9 now")
	found := search(t, p.Agent, api.SearchRequest{Query: "Where is the printer?"})
	if len(found.Results) != 2 || found.Results[1].Ref != old || found.Results[0].Ref != said.Memories[0].Ref {
		t.Errorf("%+v", found.Results)
	}

	p = newPeople(t)
	old = remember(t, p.Owner, "The printer is on floor 2").Memories[0].Ref
	other := remember(t, p.Owner, "Ada likes tea")
	if _, err := p.Agent.Revise(t.Context(), api.ReviseRequest{
		Ref: old, Draft: api.Draft{Text: "The printer is on floor 9"}, From: []string{other.Ref},
	}); err != nil {
		t.Fatal(err)
	}
	proposedBelow(t, p, old)
}

// givenInOrder checks that a pack gives floor 2 before floor 9.
func givenInOrder(t *testing.T, pack api.ContextReply) {
	t.Helper()
	text, err := pack.Render("text", false)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	at := func(words string) int {
		return slices.IndexFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, "   ") && strings.Contains(l, words)
		})
	}
	if first, second := at("floor 2"), at("floor 9"); first < 0 || second >= 0 && second < first {
		t.Errorf("the person's word does not come first:\n%s", text)
	}
}
