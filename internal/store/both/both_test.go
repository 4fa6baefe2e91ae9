package both_test

import (
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/both"
	"github.com/stemma-memory/stemma/internal/store/memstore"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// With nothing in the second store the two are a store like any other.
func TestSuite(t *testing.T) { storetest.Run(t, two) }

func two(_ *testing.T, now func() time.Time) store.Store {
	return both.Of(memstore.Open(now), memstore.Open(now), "project", "user")
}

// place is two stores read as one.
type place struct {
	*testing.T
	first, second *memstore.Store
	both          store.Store
}

func newPlace(t *testing.T) *place {
	now := func() time.Time { return storetest.Start.Add(24 * time.Hour) }
	p := &place{T: t, first: memstore.Open(now), second: memstore.Open(now)}
	p.both = both.Of(p.first, p.second, "project", "user")
	return p
}

func (p *place) add(s store.Store, rs ...*memory.Record) {
	p.Helper()
	if _, err := s.Append(p.Context(), store.Batch{Records: rs}); err != nil {
		p.Fatal(err)
	}
}

func (p *place) holds(s store.Store, r *memory.Record) bool {
	p.Helper()
	items, err := s.Get(p.Context(), r.ID)
	if err != nil {
		p.Fatal(err)
	}
	return items[0] != nil
}

func TestReadTogether(t *testing.T) {
	p := newPlace(t)
	ann := storetest.NewOwner("ann")
	here, there, twice := ann.Raw(
		t, "a heron on the river",
	), ann.Raw(t, "a heron on the roof"), ann.Raw(t, "a heron twice")
	p.add(p.first, here, twice)
	p.add(p.second, there, twice)
	for i := range 50 {
		p.add(p.first, ann.Raw(t, "something else "+string(rune('a'+i%26))))
	}
	items, err := p.both.Get(t.Context(), here.ID, there.ID, twice.ID, memory.ID{1})
	if err != nil || items[0].Store != "project" || items[1].Store != "user" || items[2].Store != "project" ||
		items[3] != nil {
		t.Errorf("Get gives %v, %v, want project, user, project and nil", items, err)
	}
	n := 0
	for it, err := range p.both.List(t.Context(), store.Query{}) {
		if err != nil || it.Store == "" {
			t.Fatalf("List gives %v, %v", it, err)
		}
		n++
	}
	if n != 53 {
		t.Errorf("List gives %d records, want 53: the one in both stores once", n)
	}
	hits, err := p.both.Match(t.Context(), store.Match{Terms: words.Query("heron roof")})
	if err != nil || len(hits) != 3 || hits[0].ID != there.ID {
		t.Errorf("Match gives %v, %v, want first the one of the small store that has both words", hits, err)
	}
	refs, err := p.both.Resolve(t.Context(), "", there.ID.String()[:12], 5)
	if err != nil || len(refs) != 1 || refs[0] != there.Ref() {
		t.Errorf("Resolve gives %v, %v, want %v", refs, err, there.Ref())
	}
	refs, err = p.both.Resolve(t.Context(), "", twice.ID.String()[:12], 5)
	if err != nil || len(refs) != 1 {
		t.Errorf("Resolve of what both hold gives %v, %v, want it once", refs, err)
	}
}

// A claim goes where its subject is, and a memory where all its sources are: one
// that also rests on the project's is the project's.
func TestWritesGoWhereTheyBelong(t *testing.T) {
	p := newPlace(t)
	ann := storetest.NewOwner("ann")
	here, there := ann.Belief(t, "it is here"), ann.Belief(t, "it is there")
	p.add(p.first, here)
	p.add(p.second, there)
	ofHere, ofThere := ann.Mark(t, memory.Approve, here), ann.Mark(t, memory.Approve, there)
	ofBoth := ann.Mark(t, memory.Protect, here, there)
	derived, mixed := ann.Belief(t, "it follows", there), ann.Belief(t, "it follows from both", there, here)
	revised := ann.Make(t, &memory.Belief{Statement: "it was there"}, func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.From = memory.ViaRevision, []memory.Ref{there.Ref()}
		h.Provenance.Supersedes = []memory.Ref{there.Ref()}
	})
	for _, tt := range []struct {
		what   string
		r      *memory.Record
		second bool
	}{
		{"a claim about the first", ofHere, false}, {"a claim about the second", ofThere, true},
		{"a claim about both", ofBoth, false}, {"what follows from the second", derived, true},
		{"what follows from both", mixed, false},
		{"a revision of the second", revised, true},
	} {
		p.add(p.both, tt.r)
		if first, second := p.holds(p.first, tt.r), p.holds(p.second, tt.r); first == tt.second || second != tt.second {
			t.Errorf("%s: held by the first %v, by the second %v, want the second %v", tt.what, first, second, tt.second)
		}
	}
	items, err := p.both.Get(t.Context(), there.ID)
	if err != nil || items[0].State.SupersededBy != revised.ID || items[0].State.Review != state.ReviewApproved {
		t.Errorf("the belief of the second store is %+v, %v, want it approved and superseded", items[0].State, err)
	}
	back, err := p.both.Edges(t.Context(), graph.Back, mixed.ID)
	if err != nil || len(back) != 2 || back[0].To != there.ID {
		t.Errorf("the edges of what follows from both are %v, %v, want the first to the second store", back, err)
	}
	forward, err := p.both.Edges(t.Context(), graph.Forward, there.ID)
	if err != nil || len(forward) < 3 {
		t.Errorf("%v point at the belief of the second store, %v, want also what follows from it", forward, err)
	}
}
