package index

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
		want := everyRank(s)
		for vi, v := range views {
			for entry := range v.head.Entries() {
				i := s.start[vi] + entry
				own, _, _ := s.parts(v.head, vi, entry, i)
				if s.mask[i]&propagatedBit == 0 && own > s.own[i]*s.unit*s.mostWorth() || math.IsNaN(float64(own)) {
					t.Fatalf("own score %v of %v in parts of %v: more than factors can make of it", own, s.own[i], s.unit)
				}
			}
		}
		for _, most := range []int{1, 3, 10, 1000} {
			if got, _ := s.rank(most); !slices.Equal(got, want[:min(most, len(want))]) {
				t.Fatalf("the best %d are %v, want the first of %v", most, got, want)
			}
		}
	})
}

// Of more entries than propagate, those are passed over whose scores are too low, whatever makes up the others'.
func TestTheBestOfManyAreTheFirstOfAll(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		terms := []string{"one", "two", "three", "four"}
		var prefer string
		if seed%3 == 0 {
			prefer = TimeMark
		}
		var views []*View
		for n := range 5 {
			var entries []Entry
			for i := range 900 {
				e := Entry{Key: int64(n*900 + i + 1), Kind: 1 + r.IntN(3), Asks: r.IntN(4) == 0, Length: 1 + r.IntN(90)}
				if r.IntN(5) > 0 {
					e.Session = 1 + uint64(n*900+i)/25 + r.Uint64N(2)
				}
				for no, text := range []string{TimeMark, "@two", "four", "one", "three", "two"} {
					if r.IntN(2+no*2) == 0 && (text != "@two" || seed%2 == 0) {
						weight := 0
						if no > 1 {
							weight = 1 + r.IntN(4)
						}
						e.Terms = append(e.Terms, Term{text, weight})
					}
				}
				slices.SortFunc(e.Terms, func(a, b Term) int { return strings.Compare(a.Text, b.Text) })
				entries = append(entries, e)
			}
			v, err := Of(1, entries, Wanted(terms, prefer))
			if err != nil {
				t.Fatal(err)
			}
			views = append(views, v)
		}
		q := all(0, terms...)
		q.Prefer = prefer
		q.Kind = func(k int) bool { return k != 2 }
		s := newSearch(views, q)
		if err := errors.Join(s.score(), s.propagate()); err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(everyRank(s), func(r ranked) bool { return s.hit(r.i).Kind == 2 })
		for _, most := range []int{1, 10, 74, 164, 400, 2000, 5000} {
			if got, err := s.rank(most); err != nil || !slices.Equal(got, want[:min(most, len(want))]) {
				t.Fatalf("seed %d: the best %d of %d are others: %v", seed, most, len(want), err)
			}
		}
		s.free()
		var only []int64
		for key := range int64(4700) { // some are in no view
			if r.IntN(40) == 0 {
				only = append(only, key)
			}
		}
		amongSome(t, views, q, only)
		q.Has = [][]string{{"one", "three"}, {"two"}}
		amongSome(t, views, q, only)
		amongSome(t, views, q, []int64{})
	}
}

// amongSome asks that a search among some keys gives what a search of all gives, less the others, whatever the limit.
func amongSome(t *testing.T, views []*View, q Query, only []int64) {
	t.Helper()
	want := slices.DeleteFunc(searched(t, q, views...), func(h Hit) bool { return !slices.Contains(only, h.Key) })
	q.Only = only
	for _, q.Limit = range []int{0, 1, 10, 400} {
		few := want
		if q.Limit > 0 {
			few = want[:min(q.Limit, len(want))]
		}
		if got := searched(t, q, views...); !slices.Equal(got, few) {
			t.Fatalf("the best %d among %d are %v, want %v", q.Limit, len(only), got, few)
		}
	}
}

// everyRank returns the ranks of all entries that have a term, or something of their neighbours.
func everyRank(s *search) (out []ranked) {
	for vi, v := range s.views {
		for entry := range v.head.Entries() {
			i := s.start[vi] + entry
			own, propagated, session := s.parts(v.head, vi, entry, i)
			if s.held[i] > 0 || s.mask[i]&propagatedBit != 0 {
				out = append(out, ranked{int32(i), own + propagated + session})
			}
		}
	}
	slices.SortFunc(out, byRank)
	return out
}
