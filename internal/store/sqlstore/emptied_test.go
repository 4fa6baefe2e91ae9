package sqlstore

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

var emptyingBases = []struct {
	name string
	spec func(testing.TB) string
}{{"sqlite", tempSQLite}, {"postgres", storetest.EmptyPostgres}}

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
