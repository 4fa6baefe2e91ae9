package mind_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func picture(t testing.TB, e *engine.Engine, in engine.PictureRequest) engine.PictureReply {
	t.Helper()
	r, err := e.Picture(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// arrowsOf returns the arrows of a picture by the refs at their ends.
func arrowsOf(r engine.PictureReply) map[string]string {
	out := make(map[string]string)
	for _, a := range r.Arrows {
		out[r.Nodes[a.Newer].Ref+" > "+r.Nodes[a.Older].Ref] = a.How
	}
	return out
}

func TestPicture(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw, other := capture(t, e, "the cache was cold"), capture(t, e, "the cache was warm")
		cold, warm := promote(t, e, "measured it cold", raw), promote(t, e, "measured it warm", other)
		belief := consolidate(t, e, "warm caches are faster", cold, warm)
		later := consolidate(t, e, "warm the cache first", belief)

		near := picture(t, e, engine.PictureRequest{Roots: []engine.PictureRoot{{Ref: belief, Back: 1}}})
		if len(near.Nodes) != 3 || near.Nodes[near.Roots[0]].Ref != belief {
			t.Fatalf("one level back has %d nodes, root %v", len(near.Nodes), near.Roots)
		}
		for _, n := range near.Nodes {
			older, newer := 1, 0
			if n.Ref == belief {
				older, newer = 0, 1
			}
			if n.Older != older || n.Newer != newer {
				t.Errorf("%s: %d older and %d newer are left out, want %d and %d", n.Words, n.Older, n.Newer, older, newer)
			}
			if n.Trust == nil || n.Confidence == nil || n.Tier == "" {
				t.Errorf("%s lacks an axis: %+v", n.Words, n)
			}
		}
		all := picture(t, e, engine.PictureRequest{Roots: []engine.PictureRoot{{Ref: belief, Back: -1, Forward: -1}}})
		got := arrowsOf(all)
		for _, want := range []string{
			belief + " > " + cold, belief + " > " + warm, cold + " > " + raw, warm + " > " + other,
			later + " > " + belief,
		} {
			if how, ok := got[want]; !ok || how != "" {
				t.Errorf("no derivation %s: %q", want, how)
			}
		}
		if len(all.Nodes) != 6 || len(got) != 5 {
			t.Errorf("the whole has %d nodes and %d arrows, want 6 and 5", len(all.Nodes), len(got))
		}
		only := picture(t, e, engine.PictureRequest{Only: []string{belief, raw}})
		if len(only.Nodes) != 2 || len(only.Arrows) != 0 || only.Nodes[0].Older != 2 {
			t.Errorf("two by name give %+v", only)
		}
		few := picture(t, e, engine.PictureRequest{Roots: []engine.PictureRoot{{Ref: belief, Back: -1}}, Limit: 3})
		if len(few.Nodes) != 3 || !few.Full {
			t.Errorf("a limit of 3 gives %d nodes, full %v", len(few.Nodes), few.Full)
		}
	})
}

// What a picture says beside derivations: revisions, contradictions, what is hidden.
func TestPictureOfChanges(t *testing.T) {
	e := open(t, "mem", engine.Config{Origin: "owner"})
	old := add(t, e, "belief", "The server listens on port 8080")
	newer := revise(t, e, old, "The server listens on port 9090")
	if r := arrowsOf(picture(t, e, engine.PictureRequest{Only: []string{old, newer}})); r[newer+" > "+old] != "revises" {
		t.Errorf("a revision gives %v", r)
	}
	r := picture(t, e, engine.PictureRequest{Only: []string{old}})
	if r.Nodes[0].Hidden != "superseded" {
		t.Errorf("a superseded one is %q", r.Nodes[0].Hidden)
	}
	far := "belief:" + fmt.Sprintf("%064x", 7)
	if n := picture(t, e, engine.PictureRequest{Only: []string{far}}).Nodes[0]; !n.Missing || n.Ref != far {
		t.Errorf("what is not held is %+v", n)
	}
	for _, in := range []engine.PictureRequest{
		{}, {Only: []string{"x"}}, {Only: []string{old}, Limit: 10_001}, {Only: []string{old}, Limit: -1},
	} {
		if _, err := e.Picture(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func timeline(t testing.TB, e *engine.Engine, in engine.TimelineRequest) engine.TimelineReply {
	t.Helper()
	r, err := e.Timeline(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A timeline shows what was known at a time, and what is otherwise now.
func TestTimeline(t *testing.T) {
	p := newPeople(t)
	first := add(t, p.Owner, "belief", "the harbour freezes")
	then := p.AsOf()
	p.Ahead(time.Minute)
	second := revise(t, p.Owner, first, "the harbour freezes in hard winters")

	now := timeline(t, p.Owner, engine.TimelineRequest{Kind: "belief"})
	if len(now.Entries) != 2 || now.Entries[0].Ref != second || now.Entries[1].Hidden != "superseded" {
		t.Fatalf("now: %+v", now.Entries)
	}
	past := timeline(t, p.Owner, engine.TimelineRequest{Kind: "belief", AsOf: then})
	if len(past.Entries) != 1 || past.Entries[0].Ref != first || past.Entries[0].Hidden != "" ||
		past.Entries[0].HiddenNow != "superseded" {
		t.Fatalf("then: %+v", past.Entries)
	}
	page := timeline(t, p.Owner, engine.TimelineRequest{Kind: "belief", Limit: 1})
	if len(page.Entries) != 1 || !page.More {
		t.Errorf("a page of one: %+v", page)
	}
	rest := timeline(t, p.Owner, engine.TimelineRequest{Kind: "belief", Before: then})
	if len(rest.Entries) != 1 || rest.Entries[0].Ref != first {
		t.Errorf("the rest: %+v", rest.Entries)
	}
	for _, in := range []engine.TimelineRequest{{Kind: "x"}, {AsOf: "yore"}, {Limit: 501}} {
		if _, err := p.Owner.Timeline(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}
