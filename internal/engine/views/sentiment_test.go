package views_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// The sentiment of a history is that of a relationship that counts: a stranger's, an import's and a disputed one are
// entries, and change nothing.
func TestSentimentIsOfWhatCounts(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	friend := p.Friend("Ada")
	add := func(o memory.Origin, feels float64) string {
		t.Helper()
		return write(t, p.As(o), api.AddRequest{Draft: api.Draft{Kind: "relationship", Text: "Bob", Sentiment: &feels}})
	}
	want := func(sentiment float64, changes, entries int) {
		t.Helper()
		h, err := p.Owner.RelationshipHistory(ctx, api.NameRequest{Name: "Bob"})
		if err != nil || h.Sentiment == nil || *h.Sentiment != sentiment || len(h.Sentiments) != changes ||
			len(h.Entries) != entries {
			t.Errorf("sentiment %v of %+v, %d entries, %v; want %v, %d changes, %d entries", h.Sentiment, h.Sentiments,
				len(h.Entries), err, sentiment, changes, entries)
		}
	}
	add(memory.OriginOwner, 0.5)
	want(0.5, 1, 1)
	add(memory.OriginImport, -0.9)
	want(0.5, 1, 2)
	take(t, p.Owner, newForger(t, p.Now()).Says(&memory.Relationship{Name: "Bob", Sentiment: -1000}))
	want(0.5, 1, 3)
	better := add(memory.OriginOwner, 0.8)
	want(0.8, 2, 4)
	take(t, p.Owner, friend.Confirms(better, "dispute"))
	want(0.5, 1, 4)
}
