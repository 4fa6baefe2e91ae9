package sqlstore

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

var emptyingBases = []struct {
	name string
	spec func(testing.TB) string
}{{"sqlite", tempSQLite}, {"postgres", tempPostgres}}

// A table that is made of records and was emptied is told apart from one that never had a
// row: readings give what they gave and say so, also when others write between, until
// Repair has made it again.
func TestAnEmptiedTableIsNoticed(t *testing.T) {
	rs := various(t)
	clock := func() time.Time { return time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC) }
	for _, base := range emptyingBases {
		for _, table := range slices.Concat(derivedTables, nameTables) {
			t.Run(base.name+" "+table, func(t *testing.T) {
				spec := base.spec(t)
				s := filled(t, spec, Options{Now: clock})
				want, err := answers(t, s, rs)
				if err != nil || s.Damaged() != "" {
					t.Fatalf("%v, damaged %q", err, s.Damaged())
				}
				exec(t, s, "DELETE FROM "+table)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, spec, Options{Now: clock})
				got, err := answers(t, s, rs)
				if err != nil || withoutPurged(got) != withoutPurged(want) {
					t.Errorf("emptied, it answers %v\n%s", err, difference(withoutPurged(got), withoutPurged(want)))
				}
				if says := s.Damaged(); !strings.Contains(says, "the table "+table+" is empty") && table != "segment_parts" {
					t.Errorf("it says %q", says)
				}
				if !slices.Contains(nameTables, table) { // a writer would give a name another number, and is refused
					appendAll(t, s, chain(t, 40))
					indexAll(t, s)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, spec, Options{Now: clock})
				if _, err := answers(t, s, rs); err != nil || s.Damaged() == "" {
					t.Errorf("after more was written it answers %v and says %q", err, s.Damaged())
				}
				if _, err := s.Repair(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				if _, err := answers(t, s, rs); err != nil || s.Damaged() != "" {
					t.Errorf("repaired, it answers %v and says %q", err, s.Damaged())
				}
				healthy(t, s)
			})
		}
	}
}

// withoutPurged leaves out the confidence of a purged record, which only the state said.
func withoutPurged(text string) string {
	return strings.ReplaceAll(text, `"confidence":500,"purged"`, `"confidence":0,"purged"`)
}

// A table whose last row went because a record came, or because a decision was taken
// back, lost nothing.
func TestATableThatEmptiesItselfIsWhole(t *testing.T) {
	for _, base := range emptyingBases {
		t.Run(base.name, func(t *testing.T) {
			spec := base.spec(t)
			s := open(t, spec, Options{})
			a := storetest.NewOwner("filled").On("main")
			first := a.Raw(t, "what comes late")
			ref := first.Ref()
			appendAll(t, s, []*memory.Record{a.Make(t, &memory.Mark{Of: &ref, Verb: memory.Forget})})
			for _, next := range []*memory.Record{
				first, a.Make(t, &memory.Mark{Of: &ref, Verb: memory.Recover}), a.Raw(t, "the end"),
			} {
				appendAll(t, s, []*memory.Record{next})
				if _, err := s.Get(t.Context(), first.ID); err != nil || s.Damaged() != "" {
					t.Errorf("%v, it says %q", err, s.Damaged())
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, spec, Options{})
			}
			f, err := readFillings(t.Context(), s.read)
			if err != nil || slices.Contains(f.should, "dangling") || len(f.gone()) > 0 {
				t.Errorf("%+v, %v", f, err)
			}
		})
	}
}
