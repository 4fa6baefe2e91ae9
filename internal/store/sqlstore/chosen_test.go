package sqlstore

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// A list of several kinds has what the lists of each have, in the order of the log, over more than a page of each.
func TestAListOfSeveralKinds(t *testing.T) { databases(t, testAListOfSeveralKinds) }

func testAListOfSeveralKinds(t *testing.T, spec string) {
	s := open(t, spec, Options{})
	a := storetest.NewOwner("several")
	var all []*memory.Record
	for n := range 3 * firstPage {
		text := fmt.Sprint("number ", n)
		switch {
		case n%7 == 0:
			all = append(all, a.Make(t, &memory.Note{Type: "insight", Summary: text}))
		case n%3 == 0:
			all = append(all, a.Belief(t, text))
		default:
			all = append(all, a.Raw(t, text))
		}
		if n%5 == 0 {
			all = append(all, a.Mark(t, memory.Forget, all[len(all)-1]))
		}
	}
	appendAll(t, s, all)
	kinds := []memory.Kind{memory.KindRaw, memory.KindNote, memory.KindBelief, memory.KindGoal}
	listed := func(q store.Query) (out []*store.Item) {
		t.Helper()
		for it, err := range s.List(t.Context(), q) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, it)
		}
		return out
	}
	for _, q := range []store.Query{
		{}, {Oldest: true}, {Hidden: true}, {Hidden: true, Oldest: true}, {Limit: 10}, {Limit: 10, Oldest: true},
		{Few: 3}, {Few: 3, Oldest: true, Hidden: true}, {Limit: 2 * firstPage},
	} {
		var want []*store.Item
		for _, k := range kinds {
			one := q
			one.Kinds, one.Limit, one.Few = []memory.Kind{k}, 0, 0
			want = append(want, listed(one)...)
		}
		slices.SortFunc(want, func(a, b *store.Item) int {
			if q.Oldest {
				a, b = b, a
			}
			return cmp.Compare(b.Seq, a.Seq)
		})
		if q.Limit > 0 {
			want = want[:q.Limit]
		}
		q.Kinds = kinds
		same := func(a, b *store.Item) bool { return a.Ref == b.Ref && a.Seq == b.Seq }
		if got := listed(q); len(got) == 0 || !slices.EqualFunc(got, want, same) {
			t.Errorf("%+v lists %d records, want the %d of its kinds in their order", q, len(got), len(want))
		}
	}
}
