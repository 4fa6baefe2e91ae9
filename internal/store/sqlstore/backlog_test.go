package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// oneByOne makes a store of records that came one at a time, and reports whether
// some wait to be indexed.
func oneByOne(t *testing.T, n int) (spec string, waits bool) {
	t.Helper()
	spec = tempSQLite(t)
	s := open(t, spec, Options{})
	a := storetest.NewOwner("backlog")
	for i := range n {
		appendAll(t, s, []*memory.Record{a.Raw(t, fmt.Sprint("word number ", i))})
	}
	all, err := waitingIn(t.Context(), s.read, nil)
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return spec, len(all) == 1
}

// found counts what a search for every raw gives.
func found(t *testing.T, s *Store) int {
	t.Helper()
	hits, err := s.Match(t.Context(), store.Match{Terms: []string{"word"}})
	if err != nil {
		t.Fatal(err)
	}
	return len(hits)
}

// A search misses nothing that waits, and writes nothing. The record that is one
// too many indexes all before it.
func TestSearchReadsWhatWaits(t *testing.T) {
	for _, n := range []int{1, 64, 65, 100, 130, 131} {
		spec, waits := oneByOne(t, n)
		if want := n%65 != 0; waits != want {
			t.Errorf("%d records wait: %v, want %v", n, waits, want)
		}
		s := open(t, spec, Options{})
		if got := found(t, s); got != n {
			t.Errorf("%d of %d records are found", got, n)
		}
		if all, err := waitingIn(t.Context(), s.read, nil); err != nil || len(all) == 1 != waits {
			t.Errorf("of %d records %d backlogs are left, %v, want what waited before", n, len(all), err)
		}
		healthy(t, s)
	}
}

// A store that cannot be written is searched all the same, waiting records and
// all, and filtered as ever.
func TestSearchWithoutWriting(t *testing.T) {
	spec, _ := oneByOne(t, 70)
	s := open(t, spec, Options{ReadOnly: true})
	if got := found(t, s); got != 70 {
		t.Errorf("%d of 70 records are found", got)
	}
	hits, err := s.Match(t.Context(), store.Match{Terms: []string{"word"}, Limit: 3})
	if err != nil || len(hits) != 3 {
		t.Errorf("with a limit of 3: %d, %v", len(hits), err)
	}
	hits, err = s.Match(t.Context(), store.Match{Terms: []string{"word"}, Spaces: []string{"nobody/main"}})
	if err != nil || len(hits) != 0 {
		t.Errorf("in another space: %d, %v, want none", len(hits), err)
	}
	if all, err := waitingIn(t.Context(), s.read, nil); err != nil || len(all) != 1 {
		t.Errorf("%d backlogs, %v, want the one there was", len(all), err)
	}
}

// Segments of an older version answer as they are, and each search renews one of them.
func TestSearchRenewsOldSegments(t *testing.T) {
	const n = 65 * 3
	spec, _ := oneByOne(t, n)
	s := open(t, spec, Options{})
	if err := s.Change(t.Context(), "age", func(ctx context.Context, w *session.Session) error {
		return w.Exec(ctx, "UPDATE segments SET version = 1")
	}); err != nil {
		t.Fatal(err)
	}
	old := func() int {
		all, err := segmentsOf(t.Context(), s.read, 1)
		if err != nil {
			t.Fatal(err)
		}
		return len(slices.DeleteFunc(all, func(g segment) bool { return g.version == index.Version }))
	}
	segments := old()
	if segments < 2 {
		t.Fatalf("%d segments are old, want several", segments)
	}
	healthy(t, s)
	for want := segments - 1; want >= 0; want-- {
		if got := found(t, s); got != n {
			t.Errorf("%d of %d records are found", got, n)
		}
		if got := old(); got != want {
			t.Errorf("%d segments are old, want %d", got, want)
		}
	}
	if got := found(t, s); got != n {
		t.Errorf("%d of %d records are found when all are renewed", got, n)
	}
	healthy(t, s)
}

// What is listed by marks that older segments have not is the same before they are renewed, and after.
func TestListsOfOldSegments(t *testing.T) { databases(t, testListsOfOldSegments) }

func testListsOfOldSegments(t *testing.T, spec string) {
	s := open(t, spec, Options{})
	a := storetest.NewOwner("aged")
	var named, unsure []memory.ID
	for i := range 65 * 3 {
		r := a.Raw(t, fmt.Sprint("word number ", i), func(h *memory.Header) {
			if h.Confidence = memory.Certain; i%50 == 7 {
				h.About = []string{"Bea"}
			}
			if i%50 == 9 {
				h.Confidence = 300
			}
		})
		if appendAll(t, s, []*memory.Record{r}); i%50 == 7 {
			named = append(named, r.ID)
		} else if i%50 == 9 {
			unsure = append(unsure, r.ID)
		}
	}
	check := func(when string) {
		t.Helper()
		for _, tt := range []struct {
			q    store.Query
			want []memory.ID
		}{{store.Query{Named: true}, named}, {store.Query{Below: 500}, unsure}} {
			tt.q.Oldest = true
			var got []memory.ID
			for it, err := range s.List(t.Context(), tt.q) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, it.Ref.ID)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %+v gives %d records, want %d", when, tt.q, len(got), len(tt.want))
			}
		}
	}
	check("before")
	if err := s.Change(t.Context(), "age", func(ctx context.Context, w *session.Session) error {
		all, err := segmentsOf(ctx, w, 1)
		for _, g := range all {
			var parts [][]byte
			if parts, err = partsOf(ctx, w, g); err != nil {
				return err
			}
			x := &indexer{ctx, w, 1}
			if parts, err = index.Renew(parts, new(index.Newly)); err == nil { // without the marks
				err = x.drop(g)
			}
			if g.version = 2; err == nil {
				err = x.write(g, parts)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s.moments.forget()
	for range 5 {
		check("of old segments")
	}
	all, err := segmentsOf(t.Context(), s.read, 1)
	if err != nil || slices.ContainsFunc(all, func(g segment) bool { return g.version != index.Version }) {
		t.Errorf("the segments are %v, %v, want all renewed", all, err)
	}
	check("renewed")
	healthy(t, s)
}
