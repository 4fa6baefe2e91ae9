package views_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func inferProvenance(t testing.TB, e *engine.Engine, in api.InferProvenanceRequest) api.InferProvenanceReply {
	t.Helper()
	r, err := e.InferProvenance(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Links are proposed by likeness and time, kept only when a person says so, and shown as
// inferred; the lineage itself stays what was signed.
func TestInferProvenance(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	said := capture(t, p.Agent, "the Grundfos pump in the boiler room rattles at night")
	capture(t, p.Agent, "we had soup for lunch")
	ep, err := p.Agent.Promote(
		t.Context(),
		api.PromoteRequest{From: []string{said}, Draft: api.Draft{Text: "Listened to the Grundfos pump"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	note := add(t, p.Agent, "note", "Grundfos pump rattles in the boiler room")
	add(t, p.Agent, "note", "Soup is fine")
	p.Ahead(48 * time.Hour)
	add(t, p.Agent, "note", "Grundfos pump rattles in the boiler room again") // another day, another session

	r := inferProvenance(t, p.Agent, api.InferProvenanceRequest{})
	if r.Legacy != 3 || r.Total != 2 || r.Applied != 0 {
		t.Fatalf("got %+v", r)
	}
	for _, f := range r.Proposals {
		if f.Ref != note || f.Link != "" || f.Score < 0.3 || f.Score > 1 || len(f.Shared) < 2 {
			t.Errorf("got %+v", f)
		}
	}
	if r.Proposals[0].Source != said || r.Proposals[1].Source != ep.Ref {
		t.Errorf("sources: %s, %s", r.Proposals[0].SourceHeadline, r.Proposals[1].SourceHeadline)
	}
	if got := traced(t, p.Agent, note, 0).Backward.Sources; len(got) != 0 {
		t.Errorf("a proposal is in the trace: %+v", got)
	}
	for _, in := range []api.InferProvenanceRequest{{All: true}, {Apply: []string{note}}} {
		if _, err := p.Agent.InferProvenance(t.Context(), in); !errors.Is(err, api.ErrForbidden) {
			t.Errorf("an agent applies: %v", err)
		}
	}
	if _, err := p.Owner.InferProvenance(
		t.Context(), api.InferProvenanceRequest{All: true, Apply: []string{note}},
	); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("all and one: %v", err)
	}
	if _, err := p.Owner.InferProvenance(
		t.Context(), api.InferProvenanceRequest{Apply: []string{said}},
	); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("of what nothing is proposed for: %v", err)
	}

	r = inferProvenance(t, p.Owner, api.InferProvenanceRequest{Apply: []string{note}})
	if r.Applied != 2 || len(r.Proposals) != 2 || !strings.HasPrefix(r.Proposals[0].Link, "link:") {
		t.Fatalf("got %+v", r)
	}
	got := traced(t, p.Agent, note, 0).Backward
	if len(got.Sources) != 2 || !got.Sources[0].Inferred || !got.Sources[1].Inferred ||
		got.SourceType != "direct_experience" {
		t.Fatalf("backward: %+v", got)
	}
	if s := got.Sources[1]; "episode:"+s.ID != ep.Ref || len(s.Sources) != 1 || s.Sources[0].Inferred ||
		!s.Sources[0].Seen {
		t.Errorf("the episode's own lineage: %+v", s)
	}
	if s := traced(t, p.Agent, note, 1).Backward.Sources; len(s) != 2 || len(s[1].Sources) != 0 {
		t.Errorf("one level: %+v", s)
	}
	forward := traced(t, p.Agent, said, 0).Forward.Derived
	if len(forward) != 2 || forward[0].Inferred || !forward[1].Inferred || "note:"+forward[1].ID != note {
		t.Errorf("forward: %+v", forward)
	}
	if show, err := p.Agent.Show(t.Context(), api.RefRequest{Ref: note}); err != nil || len(show.DerivedFrom) != 0 ||
		show.Tier != "inferred" {
		t.Errorf("lineage %v, tier %s, %v: want none, and as it was", show.DerivedFrom, show.Tier, err)
	}
	if r = inferProvenance(t, p.Owner, api.InferProvenanceRequest{All: true}); r.Applied != 0 || r.Total != 0 {
		t.Errorf("again: %+v", r)
	}
}

// One session counts at any distance; what everything speaks of is no likeness.
func TestInferProvenanceOfASession(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	in := p.As("agent", func(c *engine.Config) { c.Session = "the boiler" })
	said := capture(t, in, "Grundfos sent the valve invoice")
	p.Ahead(72 * time.Hour)
	note := add(t, in, "note", "the valve invoice of Grundfos came")
	for i := range 60 {
		capture(t, p.Agent, fmt.Sprintf("weekly report number %d", i))
	}
	add(t, p.Agent, "note", "weekly report")
	r := inferProvenance(t, p.Agent, api.InferProvenanceRequest{})
	if r.Total != 1 || r.Proposals[0].Ref != note || r.Proposals[0].Source != said ||
		!strings.Contains(r.Proposals[0].Reason, "same session") {
		t.Errorf("got %+v", r)
	}
}

// Only the owner says where a memory comes from: no stranger, and no agent of his own.
func TestOnlyOnesOwnInferenceShows(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	said := capture(t, p.Agent, "the Grundfos pump in the boiler room rattles at night")
	note := add(t, p.Agent, "note", "Grundfos pump rattles in the boiler room")
	link := &memory.Link{
		Source: refOf(t, said), Target: refOf(t, note), Relation: memory.Derive, Detector: "inferred provenance",
	}
	take(t, p.Owner, newForger(t, p.Now()).Says(link), p.Stolen(false).Says(link))
	if got := traced(t, p.Agent, note, 0).Backward.Sources; len(got) != 0 {
		t.Errorf("somebody else says where a memory comes from: %+v", got[0])
	}
	if r := inferProvenance(t, p.Owner, api.InferProvenanceRequest{All: true}); r.Applied != 1 {
		t.Errorf("somebody else's link keeps the owner from saying so: %+v", r)
	}
	if got := traced(t, p.Agent, note, 0).Backward.Sources; len(got) != 1 || !got[0].Inferred {
		t.Errorf("the owner's own: %+v", got)
	}
}

// What was imported counts by its own time and not by that of the import; where no one
// knows its time, nothing says that it is near to anything.
func TestInferProvenanceByItsOwnTime(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	other := func(alias, kind, text, ext string) api.Foreign {
		f := api.Foreign{Alias: []string{alias}, Ext: []byte(ext), Body: &memory.Note{Type: "observation", Summary: text}}
		if kind == "raw" {
			f.Body = &memory.Raw{Text: text, Source: "import"}
		}
		return f
	}
	const day, later, early = `{"createdAt":"2020-03-01T10:00:00Z"}`, `{"created_at":"2020-03-05T10:00:00Z"}`,
		`{"created_at":1580000000}`
	list := []api.Foreign{
		other("x:0", "note", "the Grundfos pump rattles", ``),
		other("x:1", "raw", "the Grundfos pump in the boiler room rattles", day),
		other("x:2", "note", "Grundfos pump rattles in the boiler room", `{"createdAt":"2020-03-01T12:00:00Z"}`),
		other("x:3", "note", "Grundfos pump rattles in the boiler room now", later),
		other("x:4", "note", "Grundfos pump rattles in the boiler room, too", early),
		other("x:5", "note", "Grundfos pump rattles in the boiler room, undated", ``),
	}
	_, err := p.Agent.Ingest(t.Context(), func(yield func(api.Foreign, error) bool) {
		for _, f := range list {
			if !yield(f, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := inferProvenance(t, p.Agent, api.InferProvenanceRequest{})
	if r.Legacy != 5 || r.Total != 1 {
		t.Fatalf("got %+v, want one", r)
	}
	got := r.Proposals[0]
	if got.Headline != "Grundfos pump rattles in the boiler room" || !strings.HasPrefix(got.Source, "raw:") ||
		!strings.HasPrefix(got.Reason, "2 hours before") {
		t.Errorf("got %+v", got)
	}
}
