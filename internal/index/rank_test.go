package index

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is passed over when the best are chosen is none of them, whether views are gone through
// at the same time or one after another.
func TestTheBestAreTheFirstOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var views []*View
		terms := rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary[:12]), 1, 5, rapid.ID).Draw(t, "terms")
		base := int64(0)
		for range rapid.IntRange(1, 4).Draw(t, "views") {
			entries := anyEntries(80).Draw(t, "entries")
			for i := range entries {
				entries[i].Key += base
				entries[i].Length++ // one with terms has words
			}
			if len(entries) > 0 {
				base = entries[len(entries)-1].Key
			}
			v, err := Of(1, entries, Wanted(terms, ""))
			if err != nil {
				t.Fatal(err)
			}
			views = append(views, v)
		}
		s := newSearch(views, all(0, terms...))
		defer s.free()
		if err := s.score(); err != nil || s.none() {
			return
		}
		if err := s.propagate(); err != nil {
			t.Fatal(err)
		}
		var want []ranked
		for vi, v := range views {
			for entry := range v.head.Entries() {
				i := s.start[vi] + entry
				own, propagated, session := s.parts(v.head, vi, entry, i)
				if s.held[i] > 0 || s.mask[i]&propagatedBit != 0 {
					want = append(want, ranked{int32(i), own + propagated + session})
				}
				if s.mask[i]&propagatedBit == 0 && own > s.own[i]*s.unit*mostWorth || math.IsNaN(float64(own)) {
					t.Fatalf("own score %v of %v in parts of %v: more than factors can make of it", own, s.own[i], s.unit)
				}
			}
		}
		slices.SortFunc(want, byRank)
		for _, most := range []int{1, 3, 10, 1000} {
			if got, _ := s.rank(most); !slices.Equal(got, want[:min(most, len(want))]) {
				t.Fatalf("the best %d are %v, want the first of %v", most, got, want)
			}
		}
	})
}
