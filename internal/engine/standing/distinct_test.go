package standing

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// lineOf returns the rest of a line of revisions from one of them on.
func lineOf(line, from, last int) Made {
	var c core.Chain
	for n := from; n <= last; n++ {
		var id memory.ID
		binary.BigEndian.PutUint32(id[:], uint32(line))
		binary.BigEndian.PutUint32(id[4:], uint32(n))
		c = append(c, &store.Item{Ref: memory.Ref{Kind: memory.KindNote, ID: id}})
	}
	return Made{Chain: c, Cites: true}
}

// Revisions of one memory are one, the one with the most revisions behind it, at the place of the first; whichever
// come first.
func TestRevisionsOfOneMemoryAreOne(t *testing.T) {
	s := &settling{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all, want []Made
		for range 1 + r.IntN(40) {
			line := r.IntN(8)
			all = append(all, lineOf(line, r.IntN(4), 4+line%2))
		}
		for _, m := range all {
			i := slices.IndexFunc(want, func(o Made) bool { return o.Has(m.First().Ref.ID) || m.Has(o.First().Ref.ID) })
			switch {
			case i < 0:
				want = append(want, m)
			case len(m.Chain) > len(want[i].Chain):
				want[i] = m
			}
		}
		same := func(a, b Made) bool { return a.First().Ref == b.First().Ref && len(a.Chain) == len(b.Chain) }
		if got := s.distinct(all); !slices.EqualFunc(got, want, same) {
			t.Fatalf("seed %d: %d of %d, want %d", seed, len(got), len(all), len(want))
		}
	}
	var many []Made
	for n := range 100_000 { // what compares each with each takes minutes
		many = append(many, lineOf(n, 0, 0))
	}
	if got := s.distinct(many); len(got) != len(many) {
		t.Errorf("%d of %d", len(got), len(many))
	}
}
