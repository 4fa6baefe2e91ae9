package mind_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func TestEntities(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		works := about(t, e, "belief", "Alice works at Acme", "Alice", "Acme")
		likes := about(t, e, "note", "alice likes tea", "alice")
		about(t, e, "episode", "Met Alice", "Alice", "ALICE")
		gone := about(t, e, "belief", "Bob is here", "Bob", "Alice")
		if _, err := e.Reject(t.Context(), api.DecideRequest{Refs: []string{gone}}); err != nil {
			t.Fatal(err)
		}
		write(
			t, e,
			api.AddRequest{
				Draft: api.Draft{Kind: "relationship", Text: "Acme", Type: "organisation", Description: "makes anvils"},
			},
		)
		r, err := e.Entities(t.Context(), api.EntitiesRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total != 2 || len(r.Entities) != 2 {
			t.Fatalf("got %+v", r)
		}
		alice, acme := r.Entities[0], r.Entities[1]
		if alice.Name != "Alice" || alice.Count != 3 || fmt.Sprint(alice.Kinds) != "map[belief:1 episode:1 note:1]" ||
			alice.FirstSeen >= alice.LastSeen {
			t.Errorf("Alice: %+v", alice)
		}
		if acme.Name != "Acme" || acme.Count != 2 || acme.Type != "organisation" ||
			acme.Kind != "organisation" || alice.Kind != "person" {
			t.Errorf("Acme: %+v", acme)
		}
		if r, err = e.Entities(t.Context(), api.EntitiesRequest{Like: "aC", Limit: 1}); err != nil ||
			len(r.Entities) != 1 || r.Entities[0].Name != "Acme" || r.More {
			t.Errorf("like ac: %+v, %v", r, err)
		}
		if _, err := e.ReviseBeliefs(t.Context(), api.ReviseBeliefsRequest{Episode: likes}); err == nil {
			t.Error("a note revises beliefs")
		}
		one, err := e.Entity(t.Context(), api.NameRequest{Name: "aLICE"})
		if err != nil || one.Count != 3 || len(one.About) != 3 || one.About[0].Ref != works ||
			one.About[1].Ref != likes || len(one.Links) != 0 {
			t.Errorf("Alice: %+v, %v", one, err)
		}
		if one, err = e.Entity(t.Context(), api.NameRequest{Name: "alice", Limit: 2}); err != nil ||
			len(one.About) != 2 || !one.More || one.About[0].Ref != likes {
			t.Errorf("the newest two: %+v, %v", one, err)
		}
		if _, err = e.Entity(t.Context(), api.NameRequest{Name: "lic"}); !errors.Is(err, api.ErrNotFound) ||
			!strings.Contains(err.Error(), "Alice") {
			t.Errorf("lic: %v, want not found, and a name that holds it", err)
		}
		if _, err = e.Entity(t.Context(), api.NameRequest{}); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("no name: %v", err)
		}
	})
}

// Links show between what speaks of one name.
func TestEntityShowsLinks(t *testing.T) {
	t.Parallel()
	e := open(t, "mem", engine.Config{})
	old := about(t, e, "belief", "Deploying on Friday is safe", "Friday")
	bad := write(
		t, e,
		api.AddRequest{
			Draft: api.Draft{Kind: "episode", Text: "Deploying the API on Friday", OutcomeType: "failure"},
			Meta:  api.Meta{About: []string{"Friday"}},
		},
	)
	if r := reviseBeliefs(t, e, bad); len(r.Moves) != 1 {
		t.Fatalf("got %+v", r)
	}
	r, err := e.Entity(t.Context(), api.NameRequest{Name: "friday"})
	if err != nil || len(r.Links) != 1 || r.Links[0].Old.Ref != old || r.Links[0].New.Ref != bad ||
		r.Links[0].State != "open" {
		t.Errorf("got %+v, %v", r.Links, err)
	}
}

// A name has a kind, by what is said of it. Who speaks without a name is none, nor is "my wife", nor a secret's mark.
func TestEntitiesHaveKinds(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		for _, text := range []string{
			"Babette told Gunnar that she moved to Tarragona.", "I work at Quantrix in Lyon.",
			"We use Zebrastore for sessions.", "The bug is in internal/store/open.go.", "My wife likes tea.",
			"I prefer tabs.", "Standup is at 9:30.",
		} {
			if _, err := e.Remember(t.Context(), api.RememberRequest{Text: text, Wait: true}); err != nil {
				t.Fatal(err)
			}
		}
		about(t, e, "note", "it was rotated", "[REDACTED:aws-key]", "Turnip")
		about(t, e, "note", "likes trains", "user", "my wife")
		r, err := e.Entities(t.Context(), api.EntitiesRequest{})
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for _, one := range r.Entities {
			got[one.Name] = one.Kind
		}
		want := map[string]string{
			"Babette": "person", "Gunnar": "person", "Tarragona": "place", "Quantrix": "organisation", "Lyon": "place",
			"Zebrastore": "software", "internal/store/open.go": "file", "Turnip": "other",
		}
		if !maps.Equal(got, want) || r.Total != len(want) {
			t.Errorf("got %v of %d, want %v", got, r.Total, want)
		}
		if one, err := e.Entity(t.Context(), api.NameRequest{Name: "user"}); err != nil || one.Count == 0 {
			t.Errorf("what is said of the user: %+v, %v", one, err)
		}
	})
}

// The reply of remember names whom and what its memories are about, with the kind that entities have.
func TestRememberNamesItsEntities(t *testing.T) {
	p := newPeople(t)
	type named struct{ name, kind string }
	var got []named
	for _, e := range remember(t, p.Agent, "Bob Miller works at Acme Corp.").Entities {
		got = append(got, named{e.Name, e.Kind})
	}
	if want := []named{{"Acme Corp", "organisation"}, {"Bob Miller", "person"}}; !slices.Equal(got, want) {
		t.Errorf("entities = %v, want %v", got, want)
	}
	list, err := p.Agent.Entities(t.Context(), api.EntitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Entities {
		if !slices.Contains(got, named{e.Name, e.Kind}) {
			t.Errorf("entities lists %s, a %s, which remember did not name", e.Name, e.Kind)
		}
	}
	if got := remember(t, p.Agent, "The cache is warm.").Entities; len(got) > 0 {
		t.Errorf("entities of a sentence without names: %v", got)
	}
}
