package recall_test

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// The words that find a wrong memory find what corrected it, at its place: other memories that share more
// words with the question do not come before it. What was decided against gives its place to no memory.
func TestACorrectionIsFoundWhereTheOldWordsWere(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	wrong := add(t, p.Owner, "note", "The harbour office opens its eastern counter at seven on weekdays")
	for _, text := range []string{
		"The harbour office closes its eastern counter at noon on Fridays",
		"The eastern counter of the harbour office is for fishing boats",
		"The harbour office has an eastern and a western counter",
	} {
		add(t, p.Owner, "note", text)
	}
	in := api.SearchRequest{Query: "harbour office eastern counter weekdays", Explain: true}
	if got := refs(search(t, p.Owner, in)); got[0] != wrong {
		t.Fatalf("before: %v, want %s first", got, wrong)
	}
	r, err := p.Owner.Correct(t.Context(), api.CorrectRequest{Ref: wrong, Text: "Mornings at the quay begin at nine"})
	if err != nil {
		t.Fatal(err)
	}
	got := search(t, p.Owner, in)
	if got.Results[0].Ref != r.Ref {
		t.Errorf("after the correction %v, want %s first", refs(got), r.Ref)
	}
	for _, one := range got.Results {
		if one.Ref == wrong {
			t.Error("the replaced words are given")
		}
	}
	if _, err := p.Owner.Reject(t.Context(), api.DecideRequest{Refs: []string{r.Ref}}); err != nil {
		t.Fatal(err)
	}
	for _, one := range search(t, p.Owner, in).Results {
		if one.Ref == r.Ref {
			t.Error("a correction that was rejected is given")
		}
	}
}

// A correction also has what sources lent to the words that it replaced: a conclusion from a conversation is as high
// as before for each of the questions that had found it, whichever of its words they have.
func TestACorrectionOfAConclusionStandsAsHighAsItsOldWords(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	var said []string
	for _, text := range []string{
		"I painted that lake sunrise last year, it is special to me", "Painting is a fun way to relax after a long day",
	} {
		r, err := p.Owner.Capture(t.Context(), api.CaptureRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, r.Ref)
	}
	for _, text := range []string{
		"Melanie painted a lake", "Caroline painted a sunrise", "Melanie met Caroline", "Melanie paints the sea",
		"What Melanie and Caroline do before work", "The year at the lake", "Melanie and the lake in winter",
		"A sunrise over the lake",
	} {
		if _, err := p.Owner.Promote(t.Context(), api.PromoteRequest{
			From: said[:1], Again: true, Draft: api.Draft{Kind: "note", Text: text},
		}); err != nil {
			t.Fatal(err)
		}
	}
	wrong, err := p.Agent.Consolidate(t.Context(), api.ConsolidateRequest{
		From: said, Draft: api.Draft{Text: "Melanie painted the lake sunrise in 2019, before meeting Caroline"},
	})
	if err != nil {
		t.Fatal(err)
	}
	questions := []string{
		"When did Melanie paint the lake sunrise?", "painted lake sunrise 2019", "in which year was the lake sunrise painted",
		"Melanie sunrise painting before meeting Caroline", "what did Melanie paint before meeting Caroline",
	}
	place := func(question, ref string) int {
		return slices.Index(refs(search(t, p.Owner, api.SearchRequest{Query: question, Limit: 20})), ref)
	}
	before := make([]int, len(questions))
	for i, q := range questions {
		if before[i] = place(q, wrong.Ref); before[i] < 0 {
			t.Fatalf("%q does not find %s", q, wrong.Ref)
		}
	}
	in := api.ReviseRequest{Ref: wrong.Ref, Draft: api.Draft{Text: "It was made in 2022"}}
	right, err := p.Owner.Revise(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		if now := place(q, right.Ref); now < 0 || now > before[i] {
			t.Errorf("%q finds the correction at %d, and found the old words at %d", q, now, before[i])
		}
	}
}

// After nine corrections in a row, the words of the first find the newest, and no replaced one is given as current.
func TestManyCorrectionsInARow(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	at := add(t, p.Owner, "note", "The eastern counter opens at seven")
	replaced := map[string]bool{}
	for _, text := range []string{
		"Mornings at the quay begin at nine", "Boats leave the pier at ten", "Gulls land on roofs at noon",
		"Nets dry on poles by one", "Barrels roll ashore at two", "Lamps burn along the wall from five",
		"Ropes are coiled by six", "Crates wait under tarpaulin until eight", "Bells ring twice before midnight",
	} {
		replaced[at] = true
		r, err := p.Owner.Correct(ctx, api.CorrectRequest{Ref: at, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		at = r.Ref
	}
	for _, query := range []string{"eastern counter", "Gulls land on roofs", "Crates under tarpaulin", "Bells ring"} {
		got := search(t, p.Owner, api.SearchRequest{Query: query})
		if len(got.Results) == 0 || got.Results[0].Ref != at {
			t.Errorf("%q finds %v, want %s first", query, refs(got), at)
		}
		for _, r := range got.Results {
			if replaced[r.Ref] {
				t.Errorf("%q gives %q, which was replaced", query, r.Text)
			}
		}
	}
}
