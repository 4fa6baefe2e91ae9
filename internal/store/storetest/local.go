package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// testLocal checks data that is never synced: usage, vectors and cursors.
func testLocal(p *place) {
	ann := NewOwner("ann")
	a, b, never := ann.Raw(p, "a"), ann.Raw(p, "b"), ann.Raw(p, "never appended")
	p.add(a, b)
	ctx, at := p.Context(), Start.Add(time.Hour+time.Millisecond)
	for _, err := range []error{
		p.Touch(ctx, Start, a.ID, never.ID), p.Touch(ctx, at, a.ID), p.Touch(ctx, at),
		p.SetCursor(ctx, "hub", 7), p.SetCursor(ctx, "it's another", 1<<40), p.SetCursor(ctx, "hub", 6),
		p.PutVectors(
			ctx, "m", store.Vector{ID: a.ID, Vec: []float32{1, -0.5, 1e-20}},
			store.Vector{ID: b.ID, Vec: []float32{2, 0, 0}},
		),
		p.PutVectors(ctx, "m", store.Vector{ID: b.ID, Vec: []float32{3, 4, 0}}),
		p.PutVectors(ctx, "other", store.Vector{ID: b.ID, Vec: []float32{5}}),
		p.PutVectors(ctx, "m"),
	} {
		if err != nil {
			p.Fatal(err)
		}
	}
	used, err := p.Used(ctx, b.ID, a.ID, never.ID, a.ID)
	if err != nil || len(used) != 4 {
		p.Fatalf("Used = %v, %v, want 4", used, err)
	}
	for i, want := range []store.Usage{{}, {Times: 2, Last: at}, {}, {Times: 2, Last: at}} {
		if used[i].Times != want.Times || !used[i].Last.Equal(want.Last) {
			p.Errorf("usage %d = %v, want %v", i, used[i], want)
		}
	}
	for name, want := range map[string]store.Seq{"hub": 6, "it's another": 1 << 40, "unheard of": 0} {
		if got, err := p.Cursor(ctx, name); got != want || err != nil {
			p.Errorf("Cursor(%q) = %d, %v, want %d", name, got, err, want)
		}
	}
	p.vectors("m", map[memory.ID][]float32{a.ID: {1, -0.5, 1e-20}, b.ID: {3, 4, 0}})
	p.vectors("other", map[memory.ID][]float32{b.ID: {5}})
	p.vectors("none", nil)
	for range p.Vectors(ctx, "m") {
		break
	}
	p.want("List after readings", p.list(store.Query{}), b, a)
}

func (p *place) vectors(model string, want map[memory.ID][]float32) {
	p.Helper()
	got := 0
	for v, err := range p.Vectors(p.Context(), model) {
		if got++; err != nil || !slices.Equal(v.Vec, want[v.ID]) {
			p.Errorf("vector of %s = %v, %v, want %v", v.ID.Short(), v.Vec, err, want[v.ID])
		}
	}
	if got != len(want) {
		p.Errorf("Vectors(%q) gives %d, want %d", model, got, len(want))
	}
}

// testSince asks that each space has a log of its own without gaps.
func testSince(p *place) {
	ann := NewOwner("ann")
	work, bob := ann.On("work"), NewOwner("bob")
	var main, side []*memory.Record
	for i := range 7 {
		r, w := ann.Raw(p, fmt.Sprint("main ", i)), work.Raw(p, fmt.Sprint("work ", i))
		main, side = append(main, r), append(side, w)
		p.add(r, w)
		p.add0(r, w) // sent again, and no number is spent
	}
	last := bob.Raw(p, "bob")
	p.add(last)
	for _, tt := range []struct {
		space string
		after store.Seq
		limit int
		want  []*memory.Record
	}{
		{ann.Space, 0, 100, main}, {ann.Space, 0, 3, main[:3]}, {ann.Space, 3, 3, main[3:6]}, {ann.Space, 6, 3, main[6:]},
		{ann.Space, 7, 3, nil}, {ann.Space, 1 << 41, 3, nil}, {work.Space, 2, 100, side[2:]}, {
			bob.Space, 0, 9, []*memory.Record{last},
		},
		{"nowhere", 0, 9, nil},
	} {
		got, err := p.Since(p.Context(), tt.space, tt.after, tt.limit)
		var ids []memory.ID
		for i, c := range got {
			if ids = append(ids, c.ID); c.Seq != tt.after+store.Seq(i)+1 {
				p.Errorf("change %d after %d has the position %d", i, tt.after, c.Seq)
			}
		}
		if err != nil {
			p.Errorf("Since: %v", err)
		}
		p.want(fmt.Sprintf("Since %d limit %d", tt.after, tt.limit), ids, tt.want...)
	}
	got, err := p.Spaces(p.Context())
	want := []store.Space{{Name: ann.Space, Last: 7}, {Name: work.Space, Last: 7}, {Name: bob.Space, Last: 1}}
	if err != nil || !slices.Equal(got, want) {
		p.Errorf("Spaces = %v, %v, want %v", got, err, want)
	}
}

// add0 appends records that are held already.
func (p *place) add0(rs ...*memory.Record) {
	p.Helper()
	if n, err := p.Append(p.Context(), store.Batch{Records: rs}); n != 0 || err != nil {
		p.Errorf("Append of what is held = %d, %v, want 0", n, err)
	}
}

// testStats asks for each count.
func testStats(p *place) {
	if st := p.stats(); st.Records != 0 || st.Edges != 0 {
		p.Errorf("Stats of an empty store = %+v", st)
	}
	ann := NewOwner("ann")
	a, b := ann.Raw(p, "a"), ann.Raw(p, "b")
	belief := ann.Belief(p, "belief", a, ann.Raw(p, "absent"))
	other := ann.Belief(p, "other", a)
	p.add(a, b, belief, other, ann.Mark(p, memory.Forget, other), ann.Belief(p, "of no raw", belief))
	st := p.stats()
	for _, tt := range []struct {
		what      string
		got, want int
	}{
		{"Records", st.Records, 6}, {"Edges", st.Edges, 5}, {"Dangling", st.Dangling, 1}, {"Purged", st.Purged, 0},
		{"Processed", st.Processed, 1}, {"ByKind raw", st.ByKind[memory.KindRaw], 2}, {
			"ByKind mark", st.ByKind[memory.KindMark], 1,
		},
		{"ByKind belief", st.ByKind[memory.KindBelief], 3}, {"Live belief", st.Live[memory.KindBelief], 2},
		{"Live raw", st.Live[memory.KindRaw], 2}, {"Live mark", st.Live[memory.KindMark], 0}, {"kinds", len(st.ByKind), 3},
		{"live kinds", len(st.Live), 2},
	} {
		if tt.got != tt.want {
			p.Errorf("Stats: %s = %d, want %d", tt.what, tt.got, tt.want)
		}
	}
}
