package storetest

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An Opener returns a new, empty store that reads the time from now. It closes the store
// itself when the test ends.
type Opener = func(t *testing.T, now func() time.Time) store.Store

// place is a store under test and its clock.
type place struct {
	*testing.T
	store.Store
	now    atomic.Int64 // milliseconds
	keeper string       // who alone has said that he writes; "*" is several
}

func newPlace(t *testing.T, open Opener) *place {
	p := &place{T: t}
	p.set(Start.Add(24 * time.Hour))
	p.Store = open(t, p.clock)
	return p
}

func (p *place) clock() time.Time { return time.UnixMilli(p.now.Load()).UTC() }

func (p *place) set(at time.Time) { p.now.Store(at.UnixMilli()) }

// healthy fails the test for each piece of damage.
func (p *place) healthy() {
	p.Helper()
	for err := range p.Check(p.Context()) {
		p.Errorf("Check gives %v for a healthy store", err)
	}
}

// add appends records, all of them new.
func (p *place) add(rs ...*memory.Record) {
	p.Helper()
	added, err := p.Append(p.Context(), store.Batch{Records: rs})
	if err != nil || added != len(rs) {
		p.Fatalf("Append of %d records = %d, %v", len(rs), added, err)
	}
}

// get returns the items of records that must be there.
func (p *place) get(rs ...*memory.Record) []*store.Item {
	p.Helper()
	items, err := p.Get(p.Context(), idsOf(rs)...)
	if err != nil || len(items) != len(rs) {
		p.Fatalf("Get of %d ids gives %d items, %v", len(rs), len(items), err)
	}
	for i, it := range items {
		if it == nil {
			p.Fatalf("Get gives nil for %s, which was appended", rs[i].Ref().Short())
		}
	}
	return items
}

func (p *place) state(r *memory.Record) state.State {
	p.Helper()
	return p.get(r)[0].State
}

// list returns the ids of a query.
func (p *place) list(q store.Query) []memory.ID {
	p.Helper()
	var out []memory.ID
	for it, err := range p.List(p.Context(), q) {
		if err != nil {
			p.Fatalf("List(%+v): %v", q, err)
		}
		out = append(out, it.Ref.ID)
	}
	return out
}

// found returns the ids of what Match finds, best first, and asks for scores
// above 0 that never rise.
func (p *place) found(m store.Match) []memory.ID {
	p.Helper()
	hits, err := p.Match(p.Context(), m)
	if err != nil {
		p.Fatalf("Match(%+v): %v", m, err)
	}
	var out []memory.ID
	for i, h := range hits {
		if h.Score <= 0 || i > 0 && h.Score > hits[i-1].Score {
			p.Errorf("Match(%+v) gives the score %v at place %d, want above 0 and none rising", m, h.Score, i)
		}
		out = append(out, h.ID)
	}
	return out
}

// edges returns one hop.
func (p *place) edges(dir graph.Direction, ids ...memory.ID) []graph.Edge {
	p.Helper()
	out, err := p.Edges(p.Context(), dir, ids...)
	if err != nil {
		p.Fatalf("Edges: %v", err)
	}
	return out
}

func (p *place) stats() store.Stats {
	p.Helper()
	st, err := p.Store.Stats(p.Context())
	if err != nil {
		p.Fatalf("Stats: %v", err)
	}
	st.Bytes = 0 // of no meaning here
	return st
}

// tallied asks that as many memories be counted as are listed.
func (p *place) tallied(when string) {
	p.Helper()
	want := make(map[memory.Kind]int)
	for it, err := range p.List(p.Context(), store.Query{}) {
		if err != nil {
			p.Fatalf("List: %v", err)
		}
		want[it.Ref.Kind]++
	}
	got, err := store.Tally(p.Context(), p.Store, nil)
	maps.DeleteFunc(got, func(_ memory.Kind, n int) bool { return n == 0 })
	if err != nil || !maps.Equal(got, want) {
		p.Errorf("Tally%s = %v, %v, want %v", when, got, err, want)
	}
}

// conflict asks that a batch be refused.
func (p *place) conflict(what string, b store.Batch) {
	p.Helper()
	if added, err := p.Append(p.Context(), b); !errors.Is(err, store.ErrConflict) || added != 0 {
		p.Errorf("Append of %s = %d, %v, want 0 and ErrConflict", what, added, err)
	}
}

// want asks for these ids in this order.
func (p *place) want(what string, got []memory.ID, want ...*memory.Record) {
	p.Helper()
	if ids := idsOf(want); !slices.Equal(got, ids) {
		p.Errorf("%s gives %s, want %s", what, short(got), short(ids))
	}
}

// wantSet asks for these ids in any order.
func (p *place) wantSet(what string, got []memory.ID, want ...*memory.Record) {
	p.Helper()
	if g, w := sorted(got), sorted(idsOf(want)); !slices.Equal(g, w) {
		p.Errorf("%s gives %s, want %s", what, short(g), short(w))
	}
}

func sorted(ids []memory.ID) []memory.ID {
	return slices.SortedFunc(slices.Values(ids), memory.ID.Compare)
}

func short(ids []memory.ID) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, id.Short())
	}
	return out
}

// shown returns a state as text that can be compared.
func shown(s state.State) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
