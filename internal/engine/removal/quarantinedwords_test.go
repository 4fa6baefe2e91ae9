package removal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Words of which a quarantined memory was made say so wherever they are given: the quarantine is not theirs.
func TestWordsOfAQuarantinedMemoryAreMarked(t *testing.T) {
	p, ctx := newPeople(t), t.Context()
	r, err := p.Owner.Remember(ctx, api.RememberRequest{Text: "Herons sleep in the reeds"})
	if err != nil || len(r.Memories) != 1 {
		t.Fatalf("%v, %+v", err, r.Memories)
	}
	if _, err := p.Owner.Quarantine(ctx, api.QuarantineRequest{Target: r.Memories[0].Ref}); err != nil {
		t.Fatal(err)
	}
	marked := func(marks []string) bool {
		return slices.ContainsFunc(marks, func(m string) bool { return strings.Contains(m, "is quarantined") })
	}
	found, err := p.Owner.Search(ctx, api.SearchRequest{Query: "where do herons sleep"})
	if err != nil || len(found.Results) != 1 || !marked(found.Results[0].Marks) {
		t.Errorf("search: %v, %+v", err, found.Results)
	}
	recalled, err := p.Owner.Recall(ctx, api.RecallRequest{Query: "where do herons sleep"})
	if err != nil || len(recalled.Results) != 1 || !marked(recalled.Results[0].Marks) {
		t.Errorf("recall: %v, %+v", err, recalled.Results)
	}
	pack, err := p.Owner.Context(ctx, api.ContextRequest{Query: "where do herons sleep"})
	if err != nil || !strings.Contains(string(pack.Body), "is quarantined") {
		t.Errorf("context: %v, %s", err, pack.Body)
	}
}
