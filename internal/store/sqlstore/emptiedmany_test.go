//go:build !race

package sqlstore

import (
	"slices"
	"strings"
	"testing"
	"time"
)

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
