package sqlstore

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// decidedIDs lists what a person approved.
func decidedIDs(tb testing.TB, s *Store) (out []memory.ID) {
	tb.Helper()
	for it, err := range s.List(tb.Context(), store.Query{Decided: true}) {
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, it.Ref.ID)
	}
	return out
}

// What a person approved is found in the store of an earlier release, and where the index is missing.
func TestDecidedOfAnEarlierRelease(t *testing.T) {
	bytes, err := os.ReadFile("testdata/v100.db")
	if err != nil {
		t.Fatal(err)
	}
	path := tempSQLite(t)
	if err := os.WriteFile(path, bytes, session.FilePerm); err != nil {
		t.Fatal(err)
	}
	note := golden(t)[2]
	peeked, err := Peek(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if got := decidedIDs(t, peeked); !slices.Equal(got, []memory.ID{note.ID}) {
		t.Errorf("a store that is only looked at gives %v, want the note", got)
	}
	if err := peeked.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	match := store.Match{Terms: []string{"bridg"}, Decided: true, Limit: 1}
	want := []memory.ID{note.ID}
	for _, drop := range []string{"", "DROP INDEX state_decided"} {
		if drop != "" {
			exec(t, s, drop)
		}
		hits, err := s.Match(t.Context(), match)
		if got := decidedIDs(t, s); !slices.Equal(got, want) || err != nil || len(hits) != 1 || hits[0].ID != note.ID {
			t.Errorf("after %q %v are listed, and %v found, %v, want the note", drop, got, hits, err)
		}
	}
	if _, err := s.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := plan(t, s, decided); !strings.Contains(got, "state_decided") {
		t.Errorf("after a repair the plan is %s, want the index in it", got)
	}
	healthy(t, s)
}

// What was decided is read by the index of it, with many states beside it too.
func TestPlanOfDecided(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	appendAll(t, s, chain(t, 3000)) // each has a state
	for name, query := range map[string]string{"decided": decided, "came due": cameDue} {
		if got := plan(t, s, query); !strings.HasPrefix(got, "SEARCH state USING") || strings.Contains(got, "PRIMARY") {
			t.Errorf("%s: the plan is %s, want one by an index", name, got)
		}
	}
}

// manyDecided returns a store of 100,000 memories with a state each, of which 12 are approved.
func manyDecided(b *testing.B) *Store {
	const records, batch = 100_000, 1000
	s := open(b, tempSQLite(b), Options{})
	ann := storetest.NewOwner("ann")
	bot, delegation := ann.NewAgent(b, "bot")
	first := bot.Raw(b, "the first of all")
	appendAll(b, s, []*memory.Record{delegation, first})
	for n := 0; n < records; n += batch {
		rs := make([]*memory.Record, batch)
		for i := range rs {
			rs[i] = bot.Belief(b, sentence(n+i), first)
		}
		if n%8000 == 0 && n < 96_000 {
			rs = append(rs, ann.Mark(b, memory.Approve, rs[0]))
		}
		appendAll(b, s, rs)
	}
	return s
}

// BenchmarkDecided lists and finds the 12 memories of 100,000 that a person approved, beside a search of all.
func BenchmarkDecided(b *testing.B) {
	s := manyDecided(b)
	terms := []string{"bridg", "violin", "garden"}
	for name, ctx := range map[string]context.Context{"list": store.Itself(b.Context()), "list again": b.Context()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for _, err := range s.List(ctx, store.Query{Decided: true}) {
					if n++; err != nil {
						b.Fatal(err)
					}
				}
				if n != 12 {
					b.Fatal(n)
				}
			}
		})
	}
	for name, decided := range map[string]bool{"match": true, "match of all": false} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				hits, err := s.Match(b.Context(), store.Match{Terms: terms, Limit: 10, Decided: decided})
				if err != nil || len(hits) == 0 {
					b.Fatal(len(hits), err)
				}
			}
		})
	}
	b.Run("keys", func(b *testing.B) {
		for b.Loop() {
			if keys, _, err := s.decidedIn(b.Context(), []int{1}); err != nil || len(keys) != 12 {
				b.Fatal(len(keys), err)
			}
		}
	})
	b.Run("keys without the index", func(b *testing.B) {
		exec(b, s, "DROP INDEX state_decided")
		for b.Loop() {
			if keys, _, err := s.decidedIn(b.Context(), []int{1}); err != nil || len(keys) != 12 {
				b.Fatal(len(keys), err)
			}
		}
	})
}
