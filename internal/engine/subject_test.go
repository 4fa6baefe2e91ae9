package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A subject counts the memories that entities counts, and shows hidden ones with what replaced them.
func TestSubject(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		old := write(t, e, api.AddRequest{
			Draft: api.Draft{Kind: "belief", Text: "Alice works at Acme"},
			Meta:  api.Meta{About: []string{"Alice", "Acme"}, ValidFrom: "2020-05-01T00:00:00Z"},
		})
		now := revise(t, e, old, "Alice works at StartupX")
		about(t, e, "note", "ALICE and Bob met", "ALICE", "Bob", "Carol")
		about(t, e, "note", "Bob and Carol met without her", "Bob", "Carol")
		r, err := e.Subject(t.Context(), engine.SubjectRequest{Name: "alice"})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count != 2 || len(r.Events) != 3 || r.More {
			t.Fatalf("%d live memories, %d events, more %v", r.Count, len(r.Events), r.More)
		}
		days := 0
		for _, d := range r.Days {
			days += d.Count
		}
		if days != 3 || r.Days[0].Day != "2020-05-01" {
			t.Errorf("days %v", r.Days)
		}
		for _, ev := range r.Events {
			if began := "2020-05-01T00:00:00.000Z"; ev.Ref == old &&
				(ev.ReplacedBy != now || ev.Hidden != "superseded" || ev.Happened != began) {
				t.Errorf("the old one: %+v", ev)
			}
			if ev.Trust == nil {
				t.Errorf("%s is not rated", ev.Ref)
			}
		}
		if len(r.Near) != 3 || len(r.Ties) != 1 || r.Ties[0].Count != 1 || r.Others != 0 {
			t.Errorf("near %v, ties %v, others %d", r.Near, r.Ties, r.Others)
		}
		in := engine.SubjectRequest{Name: "Alice", From: "2020-04-01", To: "2020-06-01"}
		if r, err = e.Subject(t.Context(), in); err != nil || len(r.Events) == 0 || len(r.Days) < 2 {
			t.Errorf("a range: %v, %d events on %d days", err, len(r.Events), len(r.Days))
		}
		in = engine.SubjectRequest{Name: "Alice", Limit: 1}
		if r, err = e.Subject(t.Context(), in); err != nil || len(r.Events) != 1 || !r.More {
			t.Errorf("one of them: %v, %d events, more %v", err, len(r.Events), r.More)
		}
		_, err = e.Subject(t.Context(), engine.SubjectRequest{Name: "Zoe"})
		if !errors.Is(err, api.ErrNotFound) {
			t.Errorf("nobody's name: %v", err)
		}
		for _, in := range []engine.SubjectRequest{
			{}, {Name: " "}, {Name: "Alice", Limit: 1001}, {Name: "Alice", From: "yore"}, {Name: "Alice", Limit: -1},
		} {
			if _, err := e.Subject(t.Context(), in); !errors.Is(err, api.ErrInvalid) {
				t.Errorf("%+v: %v", in, err)
			}
		}
	})
}

// However many names stand beside one, a picture has thirty, and the rest is counted.
func TestSubjectIsNoHairball(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	for i := range 10 {
		names := []string{"Hub"}
		for j := range 9 {
			names = append(names, fmt.Sprintf("name %d of %d", j, i))
		}
		about(t, e, "note", fmt.Sprintf("meeting %d", i), names...)
	}
	r, err := e.Subject(t.Context(), engine.SubjectRequest{Name: "Hub"})
	if err != nil || len(r.Near) != 29 || r.Others != 61 {
		t.Errorf("%v: %d near, %d others", err, len(r.Near), r.Others)
	}
	for _, tie := range r.Ties {
		if tie.A >= tie.B || tie.B >= len(r.Near) {
			t.Errorf("a tie to nothing: %v", tie)
		}
	}
}
