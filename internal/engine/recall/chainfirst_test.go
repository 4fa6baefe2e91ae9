package recall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A change of a change stands first, whatever answers the question by its words: each that may have replaced another
// stands above it.
func TestTheLastChangeStandsFirst(t *testing.T) {
	for _, last := range []string{"Alice left StartupX and joined Globex", "Alice works at Globex"} {
		p := newPeople(t)
		var said []string
		for _, text := range []string{"Alice works at Acme", "Alice left Acme and joined StartupX", last} {
			said = append(said, remember(t, p.Agent, text+".").Memories[0].Ref)
		}
		slices.Reverse(said)
		found := search(t, p.Agent, api.SearchRequest{Query: "Where does Alice work?"})
		if got := refs(found); !slices.Equal(got, said) {
			t.Errorf("%s: found in the order %q", last, strings.Join(order(found), "; "))
		}
		r, err := p.Agent.Recall(t.Context(), api.RecallRequest{Query: "Where does Alice work?"})
		if err != nil || len(r.Results) == 0 || r.Results[0].Ref != said[0] {
			t.Errorf("%s: recall gives %+v first, %v", last, r.Results[:min(1, len(r.Results))], err)
		}
	}
}
