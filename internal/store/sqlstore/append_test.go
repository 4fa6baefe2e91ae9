package sqlstore

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// databases runs a test on both.
func databases(t *testing.T, test func(t *testing.T, spec string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, tempSQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, storetest.EmptyPostgres(t)) })
}

func TestSignatures(t *testing.T) {
	databases(t, func(t *testing.T, spec string) {
		s := open(t, spec, Options{})
		a, other := storetest.NewOwner("signs"), storetest.NewOwner("signs too")
		one, two := memory.Signature{Key: a.Key, Sig: []byte("one")}, memory.Signature{Key: other.Key, Sig: []byte("two")}
		for i, want := range [][]memory.Signature{{one}, {one, two}, {two, one}, {two}, nil, {one, two, one}} {
			r := a.Raw(t, fmt.Sprint("signed ", i))
			r.Sigs = want
			appendAll(t, s, []*memory.Record{r})
			items, err := s.Get(t.Context(), r.ID)
			if err != nil {
				t.Fatal(err)
			}
			same := func(a, b memory.Signature) bool { return a.Key == b.Key && string(a.Sig) == string(b.Sig) }
			if got := items[0].Record.Sigs; !slices.EqualFunc(got, want, same) {
				t.Errorf("signatures are %s, want %s", got, want)
			}
		}
	})
}

// TestComesDue asks that lists, searches and counts follow a claim dated ahead
// when its time has come, in both directions.
func TestComesDue(t *testing.T) {
	databases(t, func(t *testing.T, spec string) {
		now := storetest.Start.Add(time.Hour)
		s := open(t, spec, Options{Now: func() time.Time { return now }})
		a := storetest.NewOwner("due")
		back, gone := a.Raw(t, "a word that comes back"), a.Raw(t, "a word that goes")
		later := func(h *memory.Header) { h.At = memory.At(now.Add(time.Hour)) }
		mark := func(r *memory.Record, verb string, change ...func(*memory.Header)) *memory.Record {
			ref := r.Ref()
			return a.Make(t, &memory.Mark{Of: &ref, Verb: verb}, change...)
		}
		appendAll(t, s, []*memory.Record{
			back, gone, mark(back, memory.Forget), mark(back, memory.Recover, later), mark(gone, memory.Forget, later),
		})
		for _, want := range []*memory.Record{gone, back} {
			var listed []memory.ID
			for it, err := range s.List(t.Context(), store.Query{}) {
				if err != nil {
					t.Fatal(err)
				}
				listed = append(listed, it.Ref.ID)
			}
			hits, err := s.Match(t.Context(), store.Match{Terms: []string{"word"}, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(listed) != 1 || listed[0] != want.ID {
				t.Errorf("List gives %d records, want only %q", len(listed), want.Headline())
			}
			if len(hits) != 1 || hits[0].ID != want.ID {
				t.Errorf("Match gives %d hits, want only %q", len(hits), want.Headline())
			}
			if st, err := s.Stats(t.Context()); err != nil || st.Live[memory.KindRaw] != 1 {
				t.Errorf("Stats tells of %d live raws, %v, want 1", st.Live[memory.KindRaw], err)
			}
			now = now.Add(2 * time.Hour)
		}
	})
}

// TestClaimMeetsSubject appends claims and what they speak of at once, in two
// spaces, through two stores: no arrow may go on dangling, no state be missed.
func TestClaimMeetsSubject(t *testing.T) {
	databases(t, func(t *testing.T, spec string) {
		const rounds = 40
		one, two := open(t, spec, Options{}), open(t, spec, Options{})
		a := storetest.NewOwner("meets")
		b := a.On("other")
		for i := range rounds {
			subject := a.Raw(t, fmt.Sprint("subject ", i))
			ref := subject.Ref()
			claim := b.Make(t, &memory.Mark{Of: &ref, Verb: memory.Forget})
			var both sync.WaitGroup
			both.Go(func() { appendOne(t, one, subject) })
			both.Go(func() { appendOne(t, two, claim) })
			both.Wait()
			items, err := one.Get(t.Context(), subject.ID)
			if err != nil || items[0] == nil || !items[0].State.Forgotten {
				t.Fatalf("round %d: the subject is %+v, %v, want it forgotten", i, items[0], err)
			}
		}
		healthy(t, one)
	})
}

// appendOne is appendAll for goroutines other than the test's own.
func appendOne(t *testing.T, s *Store, r *memory.Record) {
	if _, err := s.Append(t.Context(), store.Batch{Records: []*memory.Record{r}}); err != nil {
		t.Error(err)
	}
}

// TestBatchBackwards appends what rests on something before that, in one batch.
func TestBatchBackwards(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	rs := chain(t, 6)
	slices.Reverse(rs)
	appendAll(t, s, rs)
	healthy(t, s)
	for _, r := range rs[:len(rs)-1] {
		items, err := s.Get(t.Context(), r.ID)
		if err != nil || !items[0].State.AnyRaw {
			t.Errorf("%s is %+v, %v, want it resting on words", r.Ref().Short(), items[0].State, err)
		}
	}
}
