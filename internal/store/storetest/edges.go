package storetest

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// testEdges checks edges in both directions, also to records that are not held.
func testEdges(p *place) {
	ann := NewOwner("ann")
	a, b, absent := ann.Raw(p, "a"), ann.Raw(p, "b"), ann.Raw(p, "absent")
	belief := ann.Make(p, &memory.Belief{Statement: "belief"}, From(b, absent, a), func(h *memory.Header) {
		h.Recalled = []memory.ID{a.ID}
	})
	revised := ann.Revise(p, "revised", belief)
	link := ann.Make(p, &memory.Link{Source: belief.Ref(), Target: a.Ref(), Relation: "derive"})
	assess := ann.Make(p, &memory.Assess{Of: belief.Ref(), Step: 1, Because: []memory.Ref{b.Ref(), a.Ref()}})
	mark := ann.Mark(p, memory.Protect, a, belief)
	lone := ann.Raw(p, "lone")

	p.add(link, revised) // before what they speak of
	p.edgesAre(
		"Back of an early link", p.edges(graph.Back, link.ID), edge(link, graph.LinkSource, belief),
		edge(link, graph.LinkTarget, a),
	)
	p.edgesAre("Forward of what is not held", p.edges(graph.Forward, belief.ID),
		edge(link, graph.LinkSource, belief), edge(
			revised, graph.DerivedFrom, belief,
		), edge(revised, graph.Supersedes, belief))
	p.dangling(4, 4)
	p.add(belief, a, b)
	p.add(assess, mark, lone)

	p.edgesAre("Back of a belief", p.edges(graph.Back, belief.ID), edge(belief, graph.DerivedFrom, b),
		edge(belief, graph.DerivedFrom, absent), edge(belief, graph.DerivedFrom, a), edge(belief, graph.Recalled, a))
	p.edgesAre("Back of an assessment", p.edges(graph.Back, assess.ID),
		edge(assess, graph.Speaks, belief), edge(assess, graph.Because, b), edge(assess, graph.Because, a))
	p.edgesAre("Forward of a belief", p.edges(graph.Forward, belief.ID),
		edge(link, graph.LinkSource, belief), edge(
			revised, graph.DerivedFrom, belief,
		), edge(revised, graph.Supersedes, belief),
		edge(assess, graph.Speaks, belief), edge(mark, graph.Speaks, belief))
	p.edgesAre("Forward of a raw", p.edges(graph.Forward, a.ID), edge(link, graph.LinkTarget, a),
		edge(
			belief, graph.DerivedFrom, a,
		), edge(belief, graph.Recalled, a), edge(assess, graph.Because, a), edge(mark, graph.Speaks, a))
	p.edgesAre("Forward of a raw not held", p.edges(graph.Forward, absent.ID), edge(belief, graph.DerivedFrom, absent))
	for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
		p.edgesAre("Edges of a lone raw", p.edges(dir, lone.ID))
		p.edgesAre("Edges of nothing", p.edges(dir))
		p.edgesAre("Edges of nobody", p.edges(dir, memory.ID{}))
	}
	both := p.edges(graph.Forward, a.ID, lone.ID, absent.ID)
	if len(both) != 6 {
		p.Errorf("Edges of three ids gives %d, want 6: %v", len(both), both)
	}
	p.dangling(1, 13)
	p.add(absent)
	p.dangling(0, 13)
	p.edgesAre("Forward of a raw held now", p.edges(graph.Forward, absent.ID), edge(belief, graph.DerivedFrom, absent))
}

func edge(from *memory.Record, rel graph.Relation, to *memory.Record) graph.Edge {
	return graph.Edge{From: from.ID, Rel: rel, To: to.ID}
}

func (p *place) edgesAre(what string, got []graph.Edge, want ...graph.Edge) {
	p.Helper()
	if !slices.Equal(got, want) {
		p.Errorf("%s gives %s\nwant %s", what, arrows(got), arrows(want))
	}
}

func arrows(edges []graph.Edge) []string {
	out := []string{}
	for _, e := range edges {
		out = append(out, e.From.Short()+" "+e.Rel.String()+" "+e.To.Short())
	}
	return out
}

func (p *place) dangling(want, all int) {
	p.Helper()
	if st := p.stats(); st.Dangling != want || st.Edges != all {
		p.Errorf("Stats counts %d edges, %d dangling, want %d and %d", st.Edges, st.Dangling, all, want)
	}
}

// testWrongKind asks that a ref which names another kind than the record's
// draws no arrow, whichever came first.
func testWrongKind(p *place) {
	for _, rawFirst := range []bool{true, false} {
		ann := NewOwner(map[bool]string{true: "first", false: "last"}[rawFirst])
		raw := ann.Raw(p, "a raw")
		wrong := memory.Ref{Kind: memory.KindNote, ID: raw.ID}
		belief := ann.Make(p, &memory.Belief{Statement: "cites a note"}, func(h *memory.Header) {
			h.Provenance.Via, h.Provenance.From = memory.ViaInference, []memory.Ref{wrong}
		})
		mark := ann.Make(p, &memory.Mark{Of: &wrong, Verb: memory.Forget})
		if rawFirst {
			p.add(raw)
		}
		p.add(belief, mark)
		if !rawFirst {
			p.dangling(2, 2)
			p.add(raw)
		}
		p.edgesAre("Forward past a wrong kind", p.edges(graph.Forward, raw.ID))
		p.edgesAre("Back past a wrong kind", p.edges(graph.Back, belief.ID, mark.ID))
		p.dangling(0, 0)
		if s := p.state(belief); s.AnyRaw || s.ReachesRaw {
			p.Errorf("a belief reaches a raw that it calls a note: %s", shown(s))
		}
		if p.state(raw).Forgotten {
			p.Error("a raw is forgotten by a mark of a note")
		}
	}
}

// refsWithin returns a shuffled choice of at most n of rs.
func refsWithin(t testing.TB, pick func(int) int, rs []*memory.Record, n int) []*memory.Record {
	t.Helper()
	var out []*memory.Record
	for range n {
		if r := rs[pick(len(rs))]; !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}
