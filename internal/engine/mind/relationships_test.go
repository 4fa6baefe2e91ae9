package mind_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// What there was with somebody: revisions, and what quotes, concerns or mentions
// them, in order; no one whose name only begins so.
func TestRelationshipHistory(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		first := write(t, e, api.AddRequest{Draft: api.Draft{Kind: "relationship", Text: "Ann Lee", Sentiment: number(-0.2)}})
		quoted := write(t, e, api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the deploy waits", Speaker: "ann lee"}})
		about := write(
			t, e,
			api.AddRequest{
				Draft: api.Draft{Kind: "episode", Text: "paired all day"},
				Meta:  api.Meta{About: []string{"Ann Lee"}},
			},
		)
		said := add(t, e, "episode", "had lunch with Ann Lee.")
		add(t, e, "episode", "met Joann Leeds")
		add(t, e, "belief", "Ann Lee is right")
		r, err := e.Revise(
			t.Context(),
			api.ReviseRequest{Ref: first, Draft: api.Draft{Text: "Ann Lee", Sentiment: number(0.6)}},
		)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Ann Lee", "ann lee", first, r.Ref} {
			h, err := e.RelationshipHistory(t.Context(), api.NameRequest{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			var got, how []string
			for _, x := range h.Entries {
				got, how = append(got, x.Ref), append(how, x.How)
			}
			if want := []string{first, quoted, about, said, r.Ref}; !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, shortened(got), shortened(want))
			}
			if want := []string{"relationship", "speaker", "about", "mentioned", "relationship"}; !slices.Equal(how, want) {
				t.Errorf("%s: %v, want %v", name, how, want)
			}
			if len(h.Sentiments) != 2 || h.Sentiments[0].Sentiment != -0.2 || h.Sentiments[1].Sentiment != 0.6 ||
				*h.Sentiment != 0.6 || h.Entries[0].Hidden != "superseded" {
				t.Errorf("sentiments %+v, now %v", h.Sentiments, h.Sentiment)
			}
		}
		h, err := e.RelationshipHistory(t.Context(), api.NameRequest{Name: "Ann Lee", Limit: 2})
		if err != nil || len(h.Entries) != 2 || !h.More || h.Entries[1].Ref != r.Ref || len(h.Sentiments) != 2 {
			t.Errorf("the newest two: %+v, %v", h, err)
		}
		if _, err := e.RelationshipHistory(
			t.Context(), api.NameRequest{Name: "Bob"},
		); !errors.Is(err, api.ErrNotFound) {
			t.Errorf("Bob: %v, want nothing known", err)
		}
		if _, err := e.RelationshipHistory(t.Context(), api.NameRequest{Name: " "}); !isInvalid(err) {
			t.Errorf("nobody: %v, want it invalid", err)
		}
	})
}
