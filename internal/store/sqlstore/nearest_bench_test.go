package sqlstore

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// BenchmarkNearest searches 100,000 vectors of 384 numbers: the first time ever,
// which makes the codes; the first time of a process that finds them; and then.
func BenchmarkNearest(b *testing.B) {
	const count, dims, batch = 100_000, 384, 1000
	path := tempSQLite(b)
	s := open(b, path, Options{})
	rnd := rand.New(rand.NewPCG(1, 1))
	queries := storetest.Points(2, 64, dims)
	for from := 0; from < count; from += batch {
		rs := benchRaws(b, from, batch)
		appendAll(b, s, rs)
		vs := make([]store.Vector, batch)
		for i, v := range storetest.Points(rnd.Uint64(), batch, dims) {
			vs[i] = store.Vector{ID: rs[i].ID, Vec: v}
		}
		if err := s.PutVectors(b.Context(), "m", vs...); err != nil {
			b.Fatal(err)
		}
	}
	search := func(b *testing.B, s *Store, i int) {
		hits, err := s.Nearest(b.Context(), store.Near{Model: "m", Vec: queries[i%len(queries)], Limit: 10})
		if err != nil || len(hits) != 10 {
			b.Fatal(len(hits), err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			if s.copies.Coded() > 0 {
				if err := s.copies.Shut(1); err != nil {
					b.Fatal(err)
				}
				if err := os.Remove(sidecar(b, path)); err != nil {
					b.Fatal(err)
				}
			}
			b.StartTimer()
			search(b, s, 0)
		}
	})
	b.Run("opened", func(b *testing.B) {
		search(b, s, 0)
		for b.Loop() {
			fresh, err := Open(b.Context(), path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			search(b, fresh, 0)
			b.StopTimer()
			if err := fresh.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
	for name, n := range map[string]store.Near{
		"warm":         {Limit: 10},
		"warm 100":     {Limit: 100},
		"warm no kind": {Limit: 10, Kinds: []memory.Kind{memory.KindBelief}},
	} {
		b.Run(name, func(b *testing.B) {
			search(b, s, 0)
			i := 0
			for b.Loop() {
				n.Model, n.Vec = "m", queries[i%len(queries)]
				i++
				if _, err := s.Nearest(b.Context(), n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("after one more", func(b *testing.B) {
		search(b, s, 0)
		rs := benchRaws(b, 0, 1)
		n := 0
		for b.Loop() {
			b.StopTimer()
			if err := s.PutVectors(b.Context(), "m", store.Vector{ID: rs[0].ID, Vec: queries[n%len(queries)]}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			search(b, s, n)
			n++
		}
	})
}

// benchRaws returns the raws of some places, the same as raws would.
func benchRaws(tb testing.TB, from, n int) []*memory.Record {
	tb.Helper()
	a := storetest.NewOwner("bench")
	out := make([]*memory.Record, n)
	for i := range out {
		out[i] = a.Raw(tb, sentence(from+i))
	}
	return out
}
