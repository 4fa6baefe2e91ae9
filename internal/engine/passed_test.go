package engine_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// The words that find a wrong memory find what corrected it, at its place: other memories that share more
// words with the question do not come before it. What was decided against gives its place to no memory.
func TestACorrectionIsFoundWhereTheOldWordsWere(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	wrong := add(t, p.owner, "note", "The harbour office opens its eastern counter at seven on weekdays")
	for _, text := range []string{
		"The harbour office closes its eastern counter at noon on Fridays",
		"The eastern counter of the harbour office is for fishing boats",
		"The harbour office has an eastern and a western counter",
	} {
		add(t, p.owner, "note", text)
	}
	in := api.SearchRequest{Query: "harbour office eastern counter weekdays", Explain: true}
	if got := refs(search(t, p.owner, in)); got[0] != wrong {
		t.Fatalf("before: %v, want %s first", got, wrong)
	}
	r, err := p.owner.Correct(t.Context(), api.CorrectRequest{Ref: wrong, Text: "Mornings at the quay begin at nine"})
	if err != nil {
		t.Fatal(err)
	}
	got := search(t, p.owner, in)
	if got.Results[0].Ref != r.Ref {
		t.Errorf("after the correction %v, want %s first", refs(got), r.Ref)
	}
	for _, one := range got.Results {
		if one.Ref == wrong {
			t.Error("the replaced words are given")
		}
	}
	if _, err := p.owner.Reject(t.Context(), api.DecideRequest{Refs: []string{r.Ref}}); err != nil {
		t.Fatal(err)
	}
	for _, one := range search(t, p.owner, in).Results {
		if one.Ref == r.Ref {
			t.Error("a correction that was rejected is given")
		}
	}
}
