package storetest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// alike is the difference of two cosines that a store need not distinguish.
const alike = 1e-4

// Points returns n vectors of so many numbers and of length one, the same for a
// seed.
func Points(seed uint64, n, dims int) [][]float32 {
	rnd := rand.New(rand.NewPCG(seed, 0))
	out := make([][]float32, n)
	for i := range out {
		v, sum := make([]float32, dims), 0.0
		for j := range v {
			f := rnd.NormFloat64()
			v[j], sum = float32(f), sum+f*f
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// testNearest compares with the cosine of every record that is asked for.
func testNearest(p *place) {
	const count, dims = 300, 64
	ann := NewOwner("ann")
	work, bob := ann.On("work"), NewOwner("bob")
	points := Points(1, count+8, dims)
	at := make(map[memory.ID][]float32) // what the store should have
	var all []*memory.Record            // in the order of arrival
	for i := range count {
		var r *memory.Record
		switch text := fmt.Sprint("record ", i); {
		case i%5 == 1:
			r = work.Raw(p, text)
		case i%5 == 2:
			r = bob.Raw(p, text)
		case i%25 == 3:
			r = ann.Belief(p, text, all[0])
		case i%25 == 4:
			r = ann.Make(p, markOf(memory.Approve, all[0])) // no memory, and found only if asked for
		default:
			r = ann.Raw(p, text)
		}
		all = append(all, r)
	}
	p.add(all...)
	without := all[7]
	gone := []*memory.Record{all[10], all[15], all[16], all[28]}
	p.add(ann.Mark(p, memory.Forget, gone...))
	put := func(vs ...store.Vector) {
		p.Helper()
		for _, v := range vs {
			at[v.ID] = v.Vec
		}
		if err := p.PutVectors(p.Context(), "m", vs...); err != nil {
			p.Fatal(err)
		}
	}
	var vs []store.Vector
	for i, r := range all {
		if r != without {
			vs = append(vs, store.Vector{ID: r.ID, Vec: points[i]})
		}
	}
	put(vs[:100]...)
	put(vs[100:]...)

	shown := func(r *memory.Record) bool { return !slices.Contains(gone, r) }
	ask := func(n store.Near, keep func(*memory.Record) bool) {
		p.Helper()
		n.Model = cmp.Or(n.Model, "m")
		var want []*memory.Record
		for _, r := range slices.Backward(all) {
			if at[r.ID] != nil && keep(r) && (n.Hidden || shown(r)) && (len(n.Kinds) > 0 || r.Header.Kind.IsMemory()) {
				want = append(want, r)
			}
		}
		slices.SortStableFunc(want, func(a, b *memory.Record) int {
			return cmp.Compare(cosine(at[b.ID], n.Vec), cosine(at[a.ID], n.Vec))
		})
		p.nearest(n, at, want[:min(n.Limit, len(want))])
	}
	anything := func(*memory.Record) bool { return true }
	ofKind := func(k memory.Kind) func(*memory.Record) bool {
		return func(r *memory.Record) bool { return r.Header.Kind == k }
	}
	round := func() {
		p.Helper()
		for i := range 4 {
			v := points[count+i]
			for _, limit := range []int{1, 10, 60, count} {
				ask(store.Near{Vec: v, Limit: limit}, anything)
				ask(store.Near{Vec: v, Limit: limit, Hidden: true}, anything)
			}
			ask(
				store.Near{Vec: v, Limit: 10, Spaces: []string{work.Space}},
				func(r *memory.Record) bool { return r.Header.Space == work.Space },
			)
			ask(
				store.Near{Vec: v, Limit: 70, Spaces: []string{bob.Space, work.Space, "nowhere"}},
				func(r *memory.Record) bool { return r.Header.Space != ann.Space },
			)
			ask(store.Near{Vec: v, Limit: 10, Spaces: []string{"nowhere"}}, func(*memory.Record) bool { return false })
			ask(store.Near{Vec: v, Limit: 5, Kinds: []memory.Kind{memory.KindBelief}}, ofKind(memory.KindBelief))
			ask(
				store.Near{Vec: v, Limit: count, Kinds: []memory.Kind{memory.KindBelief}, Hidden: true},
				ofKind(memory.KindBelief),
			)
			ask(store.Near{Vec: v, Limit: 5, Kinds: []memory.Kind{memory.KindMark}}, ofKind(memory.KindMark))
			ask(store.Near{Vec: v, Limit: 5, Kinds: []memory.Kind{"unheard-of"}}, func(*memory.Record) bool { return false })
			ask(
				store.Near{Vec: v, Limit: 5, Kinds: []memory.Kind{memory.KindRaw}, Spaces: []string{bob.Space}},
				func(r *memory.Record) bool { return r.Header.Space == bob.Space },
			)
		}
	}
	round()

	// a replaced record is found in its new place only
	put(store.Vector{ID: all[40].ID, Vec: points[count+4]}, store.Vector{ID: all[41].ID, Vec: points[count+5]})
	put(store.Vector{ID: all[41].ID, Vec: points[count+6]})
	ask(store.Near{Vec: points[count+4], Limit: 1}, anything)
	ask(store.Near{Vec: points[count+6], Limit: 1}, anything)
	ask(store.Near{Vec: points[40], Limit: count}, anything)
	round()

	// what comes later is found, and what was forgotten meanwhile is not
	late := ann.Raw(p, "late")
	all = append(all, late)
	p.add(late, ann.Mark(p, memory.Forget, all[41]))
	gone = append(gone, all[41])
	put(store.Vector{ID: late.ID, Vec: points[count+7]})
	ask(store.Near{Vec: points[count+7], Limit: 3}, anything)
	ask(store.Near{Vec: points[count+6], Limit: 3}, anything)

	// the length of a vector is not its nearness; of equals the newest is first
	double := slices.Clone(points[count+7])
	for i := range double {
		double[i] *= 2
	}
	put(store.Vector{ID: all[50].ID, Vec: double}, store.Vector{ID: all[55].ID, Vec: points[count+7]})
	p.nearest(store.Near{Model: "m", Vec: points[count+7], Limit: 3}, at, []*memory.Record{late, all[55], all[50]})
	if same := p.near(store.Near{Model: "m", Vec: points[count+7], Limit: 1}); len(same) != 1 || same[0].ID != late.ID {
		p.Errorf("of equals Nearest gives %v first, want the newest, %s", same, late.ID.Short())
	}

	// a record forgotten from tomorrow on is found until then
	p.add(ann.Make(p, markOf(memory.Forget, late), Dated(p.clock().Add(time.Hour))))
	tomorrow := p.clock().Add(24 * time.Hour)
	first := func() memory.ID { return p.near(store.Near{Model: "m", Vec: points[count+7], Limit: 1})[0].ID }
	if got := first(); got != late.ID {
		p.Errorf("before it is forgotten Nearest gives %s, want %s", got.Short(), late.ID.Short())
	}
	p.set(tomorrow)
	if got := first(); got != all[55].ID {
		p.Errorf("after it was forgotten Nearest gives %s, want %s", got.Short(), all[55].ID.Short())
	}

	// where all are equal the newest are found
	var same []store.Vector
	for _, r := range all {
		same = append(same, store.Vector{ID: r.ID, Vec: points[0]})
	}
	if err := p.PutVectors(p.Context(), "same", same...); err != nil {
		p.Fatal(err)
	}
	var newest, got []memory.ID
	for _, h := range p.near(
		store.Near{Model: "same", Vec: points[0], Limit: 5, Hidden: true, Spaces: []string{ann.Space}},
	) {
		got = append(got, h.ID)
	}
	for _, r := range slices.Backward(all) {
		if len(newest) < len(got) && r.Header.Kind.IsMemory() && r.Header.Space == ann.Space {
			newest = append(newest, r.ID)
		}
	}
	if len(got) != 5 || !slices.Equal(got, newest) {
		p.Errorf("of equals Nearest gives %s, want the newest, %s", short(got), short(newest))
	}
	testNoVectors(p, all, points)
}

// RunNearest is the part of Run about vectors, for stores that have another way
// to search them.
func RunNearest(t *testing.T, open Opener) {
	p := newPlace(t, open)
	testNearest(p)
	p.healthy()
}

// testNoVectors asks for what there is not.
func testNoVectors(p *place, all []*memory.Record, points [][]float32) {
	ctx, v := p.Context(), points[0]
	for name, n := range map[string]store.Near{
		"of an unknown model":      {Model: "unheard of", Vec: v, Limit: 3},
		"of another length":        {Model: "m", Vec: v[:32], Limit: 3},
		"of no length":             {Model: "m", Limit: 3},
		"that points nowhere":      {Model: "m", Vec: make([]float32, len(v)), Limit: 3},
		"of a model with one zero": {Model: "zero", Vec: []float32{1, 0}, Limit: 3},
	} {
		if name == "of a model with one zero" {
			if err := p.PutVectors(ctx, n.Model, store.Vector{ID: all[0].ID, Vec: []float32{0, 0}}); err != nil {
				p.Fatal(err)
			}
		}
		if hits := p.near(n); len(hits) != 0 {
			p.Errorf("Nearest to a vector %s gives %d hits, want none", name, len(hits))
		}
	}
	for name, bad := range map[string][]float32{
		"another length": {1, 2}, "no length": {}, "NaN": append([]float32{float32(math.NaN())}, v[1:]...),
		"an infinite number": append([]float32{float32(math.Inf(-1))}, v[1:]...),
	} {
		err := p.PutVectors(ctx, "m", store.Vector{ID: all[1].ID, Vec: points[9]}, store.Vector{ID: all[2].ID, Vec: bad})
		if err == nil {
			p.Errorf("PutVectors keeps a vector of %s", name)
		}
	}
	if hits := p.near(store.Near{Model: "m", Vec: points[9], Limit: 1}); len(hits) != 1 || hits[0].ID != all[9].ID {
		p.Errorf("after vectors that were refused Nearest gives %v, want %s", hits, all[9].ID.Short())
	}
	if err := p.PutVectors(ctx, "other", store.Vector{ID: all[1].ID, Vec: []float32{1, 2}}); err != nil {
		p.Errorf("PutVectors of another model and length: %v", err)
	}
	if hits := p.near(store.Near{Model: "other", Vec: []float32{0, 1}, Limit: 2}); len(hits) != 1 ||
		hits[0].ID != all[1].ID {
		p.Errorf("Nearest of another model gives %v, want %s", hits, all[1].ID.Short())
	}
}

func (p *place) near(n store.Near) []store.Hit {
	p.Helper()
	hits, err := p.Nearest(p.Context(), n)
	if err != nil {
		p.Fatalf("Nearest: %v", err)
	}
	return hits
}

// nearest asks for these records in this order, but for those too much alike,
// and for their cosines.
func (p *place) nearest(n store.Near, at map[memory.ID][]float32, want []*memory.Record) {
	p.Helper()
	what := fmt.Sprintf("Nearest of kinds %v, spaces %v, hidden %v, limit %d", n.Kinds, n.Spaces, n.Hidden, n.Limit)
	hits := p.near(n)
	if len(hits) != len(want) {
		p.Errorf("%s gives %d hits, want %d", what, len(hits), len(want))
		return
	}
	seen := make(map[memory.ID]bool)
	for i, h := range hits {
		if at[h.ID] == nil || seen[h.ID] {
			p.Errorf("%s gives %s at place %d, twice or without a vector", what, h.ID.Short(), i)
			return
		}
		seen[h.ID] = true
		is, should := cosine(at[h.ID], n.Vec), cosine(at[want[i].ID], n.Vec)
		if math.Abs(h.Score-is) > alike {
			p.Errorf("%s scores %s %v, want %v", what, h.ID.Short(), h.Score, is)
		}
		if h.ID != want[i].ID && math.Abs(is-should) > alike {
			p.Errorf("%s gives %s with %v at place %d, want %s with %v", what, h.ID.Short(), is, i, want[i].ID.Short(), should)
		}
	}
}
