package mind_test

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
		if len(r.Near) != 2 || // of Acme the new words say nothing
			len(r.Ties) != 1 || r.Ties[0].Count != 1 || r.Others != 0 {
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

// What is known now is of all that is said, and not of the newest events; it says how much more there is, what each
// took the place of, and what contradicts it.
func TestWhatIsKnownOfASubject(t *testing.T) {
	p := newPeople(t)
	e := p.Agent
	first := about(t, e, "belief", "Ada lives in Turin", "Ada")
	was := about(t, e, "belief", "Ada drinks coffee", "Ada")
	now := revise(t, e, was, "Ada drinks tea")
	write(t, e, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "Ada was in Rome"}, Meta: api.Meta{
		About: []string{"Ada"}, ValidUntil: "2020-01-01T00:00:00Z"}})
	for i := range 110 {
		about(t, e, "episode", fmt.Sprintf("Ada walked to the harbour, time %d", i), "Ada")
	}
	for i := range 12 {
		about(t, e, "belief", fmt.Sprintf("Ada knows the song number %d", i), "Ada")
	}
	moved, err := e.Remember(t.Context(), api.RememberRequest{Text: "Ada lives in Genoa"})
	if err != nil || len(moved.Memories) != 1 || len(moved.Links) != 1 {
		t.Fatalf("%v, %+v", err, moved)
	}
	other := moved.Memories[0].Ref
	r, err := e.Subject(t.Context(), engine.SubjectRequest{Name: "Ada"})
	if err != nil || len(r.Known) != 12 || r.Beyond != 3 || len(r.Events) != 100 {
		t.Fatalf("%v: %d known, %d beyond, %d events", err, len(r.Known), r.Beyond, len(r.Events))
	}
	r, err = e.Subject(t.Context(), engine.SubjectRequest{Name: "Ada", Known: 100, From: "2001-01-01", To: "2001-01-02"})
	if err != nil || len(r.Known) != 15 || r.Beyond != 0 || len(r.Events) != 0 {
		t.Fatalf("%v: %d known, %d beyond, %d events", err, len(r.Known), r.Beyond, len(r.Events))
	}
	by := make(map[string]int)
	for i, k := range r.Known {
		by[k.Ref] = i
		if k.Hidden != "" || k.Kind == "episode" || k.Trust == nil {
			t.Errorf("known now: %+v", k)
		}
	}
	if all := r.Known[by[now]].Replaced; len(all) != 1 || all[0].Ref != was || all[0].Hidden != "superseded" {
		t.Errorf("it replaced %+v", all)
	}
	if a, b := r.Known[by[first]], r.Known[by[other]]; len(a.Open) == 0 || len(b.Open) == 0 {
		t.Errorf("two homes: %+v, %+v", a, b)
	}
	if _, err := e.Subject(t.Context(), engine.SubjectRequest{Name: "Ada", Known: 1001}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("1,001 of what is known: %v", err)
	}
}

// What was drawn from a conversation stands at the time of its words, not at that of the import; a time of its own,
// and one that would be later than the memory, come first.
func TestASubjectsEventsStandWhereTheirWordsWereSaid(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	raw := func(text, at string) string {
		r, err := p.Owner.Capture(t.Context(), api.CaptureRequest{Text: text, OccurredAt: at})
		if err != nil {
			t.Fatal(err)
		}
		return r.Ref
	}
	from := []string{raw("I paint", "2023-05-08T13:56:00Z"), raw("I painted a lake", "2023-05-25T10:00:00Z")}
	made := func(text, valid string, from ...string) {
		if _, err := p.Owner.Promote(t.Context(), api.PromoteRequest{
			From: from, Again: true, Draft: api.Draft{Kind: "note", Text: text},
			Meta: api.Meta{About: []string{"Melanie"}, ValidFrom: valid},
		}); err != nil {
			t.Fatal(err)
		}
	}
	made("Melanie paints lakes", "", from...)
	made("Melanie has an easel", "2021-02-03T00:00:00Z", from[0])
	made("Melanie will paint a ship", "", raw("I shall paint a ship", "2031-01-01T00:00:00Z"))
	s, err := p.Owner.Subject(t.Context(), engine.SubjectRequest{Name: "Melanie"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, ev := range s.Events {
		got[ev.Words] = ev.Happened[:10]
	}
	for words, want := range map[string]string{
		"Melanie paints lakes": "2023-05-25", "Melanie has an easel": "2021-02-03", "Melanie will paint a ship": "2026-01-02",
	} {
		if got[words] != want {
			t.Errorf("%q happened on %s, want %s", words, got[words], want)
		}
	}
	if len(s.Days) != 3 || s.Days[1].Day != "2023-05-25" {
		t.Errorf("days %v", s.Days)
	}
}
