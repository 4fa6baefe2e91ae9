package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// watching returns a store that remembers what it read.
func watching(t *testing.T, path string) *Store {
	t.Helper()
	s := open(t, path, Options{})
	for range watchFrom {
		if _, err := s.Spaces(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// What is remembered never hides what another process did: the next reading sees it, of each
// sort.
func TestWhatOthersDoIsSeen(t *testing.T) {
	path := tempSQLite(t)
	other := open(t, path, Options{})
	owner := storetest.NewOwner("owner")
	add := func(b store.Batch) {
		t.Helper()
		if _, err := other.Append(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	said := owner.Raw(t, "the river rises")
	add(store.Batch{Records: []*memory.Record{said}})
	s := watching(t, path)
	look := func() string {
		t.Helper()
		items, err := s.Get(t.Context(), said.ID)
		if err != nil || items[0] == nil {
			t.Fatal(items, err)
		}
		spaces, _ := s.Spaces(t.Context())
		edges, _ := s.Edges(t.Context(), graph.Forward, said.ID)
		hits, err := s.Match(t.Context(), store.Match{Terms: []string{"river"}})
		if err != nil {
			t.Fatal(err)
		}
		listed := 0
		for range s.List(t.Context(), store.Query{}) {
			listed++
		}
		return fmt.Sprint(spaces[0].Last, items[0].Record != nil, items[0].State.Live(), len(edges), len(hits), listed)
	}
	want := func(text string) {
		t.Helper()
		for range 3 {
			if got := look(); got != text {
				t.Errorf("got %s, want %s", got, text)
			}
		}
	}
	want("1 true true 0 1 1")
	belief := owner.Belief(t, "a river", said)
	add(store.Batch{Records: []*memory.Record{belief}})
	want("2 true true 1 2 2")
	add(store.Batch{Records: []*memory.Record{owner.Mark(t, memory.Forget, said)}})
	want("3 true false 2 1 1")
	add(store.Batch{
		Records: []*memory.Record{owner.Mark(t, memory.Purge, said)}, Purge: []memory.ID{said.ID},
	})
	want("4 false false 3 1 1")
}

// An answer is of one moment, until its own process writes.
func TestAnAnswerIsOfOneMoment(t *testing.T) {
	path := tempSQLite(t)
	s, other := open(t, path, Options{}), open(t, path, Options{})
	owner := storetest.NewOwner("owner")
	if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{owner.Raw(t, "one")}}); err != nil {
		t.Fatal(err)
	}
	ctx := store.AtOnce(t.Context())
	last := func() store.Seq {
		t.Helper()
		spaces, err := s.Spaces(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return spaces[0].Last
	}
	first := last()
	if _, err := other.Append(t.Context(), store.Batch{Records: []*memory.Record{owner.Raw(t, "two")}}); err != nil {
		t.Fatal(err)
	}
	if got := last(); got != first {
		t.Errorf("in one answer the log has %d records, and then %d", first, got)
	}
	if _, err := s.Append(ctx, store.Batch{Records: []*memory.Record{owner.Raw(t, "three")}}); err != nil {
		t.Fatal(err)
	}
	if got := last(); got != first+2 {
		t.Errorf("after a write the log has %d records, want %d", got, first+2)
	}
}

// A server remembers from its first request on, a process that gives one answer does not.
func TestAServerRemembersFromItsFirstRequest(t *testing.T) {
	for served, ctx := range map[bool]context.Context{false: t.Context(), true: store.Served(t.Context())} {
		s := open(t, tempSQLite(t), Options{})
		if _, err := s.Spaces(store.AtOnce(ctx)); err != nil {
			t.Fatal(err)
		}
		if got := s.moments.now != nil; got != served {
			t.Errorf("a request of a server %v: remembered %v", served, got)
		}
	}
}

// What a caller does to an item changes nothing for the next.
func TestItemsAreTheCallers(t *testing.T) {
	path := tempSQLite(t)
	owner := storetest.NewOwner("owner")
	said := owner.Raw(t, "one")
	s := watching(t, path)
	if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{said}}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		items, err := s.Get(t.Context(), said.ID)
		if err != nil {
			t.Fatal(err)
		}
		for it := range s.List(t.Context(), store.Query{}) {
			items = append(items, it)
		}
		for _, it := range items {
			if it.Doubt != "" || it.State.Forgotten {
				t.Fatal("it is as another caller left it")
			}
			it.Doubt, it.State.Forgotten = store.Withheld, true
		}
	}
}

// A record that is read again after a change is the one that was made of the same bytes before.
func TestSameBytesAreReadOnce(t *testing.T) {
	path := tempSQLite(t)
	owner := storetest.NewOwner("owner")
	said := owner.Raw(t, "one")
	s := watching(t, path)
	var seen []*memory.Record
	for _, r := range []*memory.Record{said, owner.Raw(t, "two"), owner.Raw(t, "three")} {
		if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
			t.Fatal(err)
		}
		items, err := s.Get(t.Context(), said.ID)
		if err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, items[0].Record); seen[0] != items[0].Record {
			t.Error("the same bytes were read twice")
		}
	}
	if !slices.Equal(seen[0].Bytes, said.Bytes) || len(seen[0].Sigs) != 1 {
		t.Error("it is another record")
	}
}

// A record is found by its id where the key that is remembered for it is not its own.
func TestWhereARecordWasIsNotTrusted(t *testing.T) {
	path := tempSQLite(t)
	owner := storetest.NewOwner("owner")
	one, two := owner.Raw(t, "the river rises"), owner.Raw(t, "the river falls")
	said := store.Batch{Records: []*memory.Record{one, two}}
	if _, err := open(t, path, Options{}).Append(t.Context(), said); err != nil {
		t.Fatal(err)
	}
	s := watching(t, path)
	m := s.moment(t.Context())
	m.place(map[int64]memory.ID{session.FirstKey(1) + 1: two.ID, session.FirstKey(1) + 9: one.ID})
	items, err := s.Get(t.Context(), one.ID, two.ID)
	if err != nil || items[0] == nil || items[0].Ref.ID != one.ID || items[1] == nil || items[1].Ref.ID != two.ID {
		t.Fatal(items, err)
	}
}

// What was read at a moment is followed from where it was read, and that gives the same arrows: those to a record that
// came after what cites it, and to one that is not held, too.
func TestArrowsOfWhatWasRead(t *testing.T) {
	owner := storetest.NewOwner("owner")
	s := open(t, tempSQLite(t), Options{})
	one, late, never := owner.Raw(t, "one"), owner.Raw(t, "late"), owner.Raw(t, "never")
	made := owner.Belief(t, "made of three", one, late, never)
	for _, r := range []*memory.Record{one, made, late, owner.Belief(t, "made of one", one), owner.Raw(t, "alone")} {
		if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
			t.Fatal(err)
		}
	}
	ids := []memory.ID{one.ID, late.ID, never.ID}
	for range 70 { // of which a list holds the rest
		r := owner.Raw(t, "more")
		ids = append(ids, r.ID)
		if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []graph.Direction{graph.Forward, graph.Back} {
		want, err := s.Edges(store.Itself(t.Context()), dir, ids...)
		if err != nil || dir == graph.Forward && len(want) != 4 {
			t.Fatal(want, err)
		}
		ctx := store.AtOnce(t.Context())
		for it, err := range s.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindRaw}, Limit: 40}) {
			if err != nil || it.Record == nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Get(ctx, one.ID, late.ID); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Edges(ctx, dir, ids...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v, want %v", dir, got, err, want)
		}
	}
}
