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
