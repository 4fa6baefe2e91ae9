package sqlstore

import (
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// What a list may leave out it leaves out, and nothing else.
func TestNarrowedLists(t *testing.T) { databases(t, testNarrowedLists) }

func testNarrowedLists(t *testing.T, spec string) {
	s := open(t, spec, Options{})
	a := storetest.NewOwner("narrowed")
	sure := func(n memory.Confidence) func(*memory.Header) {
		return func(h *memory.Header) { h.Confidence = n }
	}
	from := func(o memory.Origin) func(*memory.Header) { return func(h *memory.Header) { h.Origin = o } }
	plain := a.Raw(t, `a plain raw that quotes "confidence":300,"about":["Bea"]`, sure(memory.Certain))
	named := a.Raw(t, "of somebody", sure(memory.Certain), func(h *memory.Header) { h.About = []string{"Bea"} })
	doubtful := a.Raw(t, "perhaps", sure(300))
	usual := a.Make(t, &memory.Note{Type: "insight", Summary: "usual"}, sure(800))
	weak := a.Make(t, &memory.Note{Type: "insight", Summary: "weak"}, sure(200))
	alien := a.Make(t, &memory.Note{Type: "insight", Summary: "weak, with words of another system"}, sure(200),
		func(h *memory.Header) { h.Ext = []byte(`{"inner":{"confidence":800,"confidence_at":1}}`) })
	old := a.Belief(t, "old")
	revised := a.Revise(t, "new", old)
	told := a.Make(t, &memory.Note{Type: "insight", Summary: "told"}, sure(800))
	lower := memory.Confidence(100)
	assessed := a.Make(t, &memory.Assess{Of: told.Ref(), To: &lower, Reason: "no longer"})
	said := a.Raw(t, "what was said", sure(memory.Certain))
	quoted := a.Make(t, &memory.Mark{Of: refTo(told), Verb: memory.Protect, Reason: `not "verb":"done"`})
	done := a.Make(t, &memory.Mark{Of: refTo(told), Verb: memory.Done})
	imported := a.Make(t, &memory.Drive{Type: "imported, not \"origin\":\"agent\""}, from(memory.OriginImport))
	quoting := a.Make(t, &memory.Drive{Type: "own"}, from(memory.OriginAgent),
		func(h *memory.Header) { h.Ext = []byte(`{"inner":{"origin":"import"}}`) })
	owners := a.Make(t, &memory.Drive{Type: "the owner's"}, from(memory.OriginOwner))
	derived := a.Make(t, &memory.Belief{Statement: "what follows"}, storetest.From(said), sure(memory.Certain))
	appendAll(t, s, []*memory.Record{plain, named, doubtful, usual, weak, alien, old, revised, told, assessed})
	appendAll(t, s, []*memory.Record{said, derived, imported, quoting, owners, quoted, done})
	for _, tt := range []struct {
		name string
		q    store.Query
		want []*memory.Record
	}{
		{"named", store.Query{Named: true, Kinds: []memory.Kind{memory.KindRaw}}, []*memory.Record{named}},
		{"from here", store.Query{Here: true, Kinds: []memory.Kind{memory.KindDrive}}, []*memory.Record{quoting, owners}},
		{"saying", store.Query{Says: `quotes "confidence":300`}, []*memory.Record{plain}},
		{"without a verb", store.Query{
			But: []string{`"verb":"done"`, `"verb":"said"`}, Kinds: []memory.Kind{memory.KindMark},
		}, []*memory.Record{quoted}},
		{"replacing", store.Query{Replaces: true}, []*memory.Record{revised}},
		{"tied", store.Query{Tied: true}, []*memory.Record{revised, said, derived}},
		{"tied raws", store.Query{Tied: true, Kinds: []memory.Kind{memory.KindRaw}}, []*memory.Record{said}},
		{"tied and saying", store.Query{Tied: true, Says: "was said"}, []*memory.Record{said}},
		{"below a half", store.Query{Below: 500, Kinds: []memory.Kind{memory.KindRaw, memory.KindNote}},
			[]*memory.Record{doubtful, weak, alien, told}},
		{"below 0.9", store.Query{Below: 900, Kinds: []memory.Kind{memory.KindRaw, memory.KindNote}},
			[]*memory.Record{doubtful, usual, weak, alien, told}},
	} {
		tt.q.Oldest = true
		var got []memory.ID
		for it, err := range s.List(t.Context(), tt.q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, it.Ref.ID)
		}
		var want []memory.ID
		for _, r := range tt.want {
			want = append(want, r.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d are listed, want %d: %v, want %v", tt.name, len(got), len(want), got, want)
		}
	}
}

func refTo(r *memory.Record) *memory.Ref {
	ref := r.Ref()
	return &ref
}

// A survey leaves out the raws that are younger than asked for, and no other memory.
func TestSurveyBefore(t *testing.T) { databases(t, testSurveyBefore) }

func testSurveyBefore(t *testing.T, spec string) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	now := day
	s := open(t, spec, Options{Now: func() time.Time { return now }})
	a := storetest.NewOwner("surveyed")
	old := a.Raw(t, "long ago", storetest.Dated(day))
	appendAll(t, s, []*memory.Record{old})
	now = day.AddDate(0, 0, 10)
	young := a.Raw(t, "just now", storetest.Dated(now))
	came := a.Raw(t, "long ago, but it came just now", storetest.Dated(day))
	note := a.Make(t, &memory.Note{Type: "insight", Summary: "of now"}, storetest.Dated(now))
	appendAll(t, s, []*memory.Record{young, came, note})
	var got []memory.ID
	for it, err := range store.Survey(t.Context(), s, day.AddDate(0, 0, 5)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, it.Ref.ID)
	}
	if want := []memory.ID{old.ID, note.ID}; !slices.Equal(got, want) {
		t.Errorf("the survey gives %v, want %v", got, want)
	}
	for it, err := range store.Survey(t.Context(), s, day.AddDate(0, 0, -1)) {
		t.Errorf("where nothing is as old as asked for the survey gives %v, %v", it.Item, err)
	}
}
