package lifecycle_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// What a person rejected comes back by no other case, marks or emoji.
func TestRejectedInOtherLetters(t *testing.T) {
	p := newPeople(t)
	ref := write(t, p.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "We will use Kafka for events"}})
	if _, err := p.Owner.Reject(t.Context(), api.DecideRequest{Refs: []string{ref}}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"WE WILL USE KAFKA FOR EVENTS", "\"We will use Kafka for events\"", "We will use **Kafka** for events",
		"We will use Kafka for events \U0001f680", "We will use Kafka for events?", "We will use Kaf**ka** for events",
		"> We will use `Kafka` for events!", "We will use Kaf\u200bka for events",
		"We will use K\u0430fk\u0430 for events", "W\u0435 will us\u0435 K\u0430fk\u0430 f\u043er \u0435v\u0435nts",
		"We will use \uff2b\uff41\uff46\uff4b\uff41 for events", "We will use K\u0335a\u20d2fk\u1dc4a for events",
	} {
		r, err := p.Agent.Remember(t.Context(), api.RememberRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Memories) > 0 || r.Rejected == nil || r.Rejected.Alike {
			t.Errorf("remember %q: memories %+v, rejected %+v", text, r.Memories, r.Rejected)
		}
		w, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		if w.Type != "raw" || w.Rejected == nil || w.Rejected.Alike {
			t.Errorf("add %q: %s, rejected %+v", text, w.Type, w.Rejected)
		}
	}
	found, err := p.Agent.Search(t.Context(), api.SearchRequest{Query: "Kafka events"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found.Results {
		t.Errorf("a search gives %q, marked %q", r.Text, r.Marks)
	}
	for _, text := range []string{"We will not use Kafka for events", "We will use Kafka for logs"} {
		w, err := p.Agent.Add(t.Context(), api.AddRequest{Draft: api.Draft{Kind: "belief", Text: text}})
		if err != nil || w.Type != "belief" {
			t.Errorf("%q: %v, %+v", text, err, w)
		}
	}
}
