package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/index"
	"github.com/stemma-memory/stemma/internal/store"
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
	if err := s.change(t.Context(), "age", func(ctx context.Context, w *session) error {
		return w.exec(ctx, "UPDATE segments SET version = 1")
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
