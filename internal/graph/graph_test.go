package graph

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// speaking returns a body of kind k that speaks of a record, or an empty one of a memory.
func speaking(k memory.Kind, of memory.Ref) memory.Body {
	switch k {
	case memory.KindLink:
		return &memory.Link{Source: of, Target: memory.Ref{Kind: memory.KindBelief, ID: memory.ID{3}}}
	case memory.KindWitness:
		return &memory.Witness{Of: of}
	case memory.KindAnchor:
		return &memory.Anchor{Of: of}
	case memory.KindVerify:
		return &memory.Verify{Of: of}
	case memory.KindAssess:
		return &memory.Assess{Of: of}
	case memory.KindMark:
		return &memory.Mark{Of: &of}
	case memory.KindKey:
		return &memory.Key{Of: &of}
	}
	return k.New()
}

func TestEveryKindDrawsAnEdge(t *testing.T) {
	older := memory.Ref{Kind: memory.KindBelief, ID: memory.ID{1}}
	for _, k := range append(memory.Memories(), memory.Claims()...) {
		r := &memory.Record{ID: memory.ID{2}, Header: memory.Header{Kind: k}, Body: speaking(k, older)}
		switch k {
		case memory.KindBelief:
			r.Header.Provenance.From, r.Header.Provenance.Supersedes = []memory.Ref{older}, []memory.Ref{older}
		case memory.KindRaw, memory.KindEpisode:
			r.Header.Recalled = []memory.ID{older.ID} // they cannot come from a belief
		default:
			if k.IsMemory() {
				r.Header.Provenance.From = []memory.Ref{older}
			}
		}
		edges := Edges(r)
		if !slices.ContainsFunc(edges, func(e Edge) bool { return e.From == r.ID && e.To == older.ID }) {
			t.Errorf("%s: Edges = %v, want one to %s", k, edges, older.Short())
		}
	}
}

// Each name of another record is an arrow, in the order in which they stand; a record's own name is none.
func TestEdgesAreAllThatIsNamed(t *testing.T) {
	self, a, b, c := memory.ID{9}, memory.ID{1}, memory.ID{2}, memory.ID{3}
	ref := func(id memory.ID) memory.Ref { return memory.Ref{Kind: memory.KindBelief, ID: id} }
	of := ref(a)
	for _, tt := range []struct {
		body memory.Body
		want []Edge
	}{
		{&memory.Belief{}, nil},
		{&memory.Assess{Of: of, Because: []memory.Ref{ref(b), ref(self), ref(c)}},
			[]Edge{{self, Speaks, a}, {self, Because, b}, {self, Because, c}}},
		{&memory.Link{Source: of, Target: ref(b)}, []Edge{{self, LinkSource, a}, {self, LinkTarget, b}}},
		{&memory.Mark{Of: &of, Also: []memory.Ref{ref(b)}}, []Edge{{self, Speaks, a}, {self, Speaks, b}}},
	} {
		r := &memory.Record{ID: self, Body: tt.body}
		if got := Edges(r); !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.body, got, tt.want)
		}
		r.Header.Provenance = memory.Provenance{From: []memory.Ref{ref(b), ref(self)}, Supersedes: []memory.Ref{ref(c)}}
		r.Header.Recalled = []memory.ID{a}
		want := append([]Edge{{self, DerivedFrom, b}, {self, Supersedes, c}, {self, Recalled, a}}, tt.want...)
		if got := Edges(r); !slices.Equal(got, want) {
			t.Errorf("%+v with a header: %v, want %v", tt.body, got, want)
		}
	}
}

// Whatever decodes has edges, and nothing panics.
func FuzzEdges(f *testing.F) {
	f.Add([]byte(`{"kind":"dream","v":9}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if r, err := memory.Decode(raw); err == nil {
			for _, e := range Edges(r) {
				if e.From != r.ID || e.To == r.ID {
					t.Fatalf("an edge from %s to %s", e.From.Short(), e.To.Short())
				}
			}
		}
	})
}

func TestRelations(t *testing.T) {
	for rel, want := range map[Relation]string{
		0: "unknown", DerivedFrom: "derived_from", Supersedes: "supersedes", Speaks: "speaks_of",
		LinkSource: "link_source", LinkTarget: "link_target", Because: "because", Recalled: "recalled", 8: "unknown",
	} {
		if got := rel.String(); got != want {
			t.Errorf("Relation(%d) = %s, want %s", rel, got, want)
		}
	}
}
