package views

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostInferred is how many inferred branches one trace shows.
const mostInferred = 1000

// grafting hangs what a person said that memories without sources come from into a tree.
// It is no lineage: nothing signed at their birth says it, and nothing else counts it.
type grafting struct {
	e     *Views
	dir   graph.Direction
	depth int
	seen  map[string]bool
	left  int // branches that may still be added
}

// A grown is a node and its distance from the root.
type grown struct {
	*api.Node
	level int
}

// withInferred returns the branches under root with the inferred ones among them.
func (e *Views) withInferred(
	rd *trust.Reading, root *api.Node, branches []*api.Node, dir graph.Direction, depth int,
) ([]*api.Node, error) {
	g := grafting{e: e, dir: dir, depth: depth, seen: make(map[string]bool), left: mostInferred}
	top := *root
	*g.under(&top) = branches
	for todo := g.grown(&top, 0); len(todo) > 0; {
		next, err := g.graft(rd, todo)
		if err != nil {
			return branches, err
		}
		todo = next
	}
	root.Marks = top.Marks
	return *g.under(&top), nil
}

// under is what hangs under a node in the direction of the tree.
func (g *grafting) under(n *api.Node) *[]*api.Node {
	if g.dir == graph.Back {
		return &n.Sources
	}
	return &n.Derived
}

// grown returns the nodes of a tree to which something may be grafted, and remembers all.
// What was seen before is cut to a reference.
func (g *grafting) grown(n *api.Node, level int) []grown {
	if g.seen[n.ID] {
		*n = api.Node{Type: n.Type, ID: n.ID, Seen: true, Inferred: n.Inferred}
	}
	if n.Seen {
		return nil
	}
	g.seen[n.ID] = true
	var out []grown
	turn := g.dir == graph.Forward && n.Type == string(memory.KindRaw)
	if (n.Links > 0 || n.Ends || turn) && (g.depth == 0 || level < g.depth) {
		out = append(out, grown{n, level})
	}
	for _, child := range *g.under(n) {
		out = append(out, g.grown(child, level+1)...)
	}
	return out
}

// graft adds the inferred branches of some nodes and returns those that may have more.
func (g *grafting) graft(rd *trust.Reading, todo []grown) ([]grown, error) {
	by := make(map[memory.ID]grown, len(todo))
	var ids []memory.ID
	for _, n := range todo {
		id, err := memory.ParseID(n.ID)
		if err != nil {
			return nil, core.Classify(err)
		}
		by[id] = n
		ids = append(ids, id)
	}
	ends, err := g.e.InferredEnds(rd, ids, g.dir)
	if err != nil {
		return nil, err
	}
	var more []grown
	if err := g.graftTurns(rd, by, ids); err != nil {
		return nil, err
	}
	for _, end := range ends {
		if g.left--; g.left < 0 {
			break
		}
		over := by[end.At]
		n := node(end.Other)
		n.Inferred = true
		if rest := g.depth - over.level - 1; !g.seen[n.ID] && (g.depth == 0 || rest > 0) {
			var own api.TraceReply
			kids, err := g.e.tree(rd, end.Other.Ref.ID, g.dir, max(rest, 0), 0, TracePage, &own)
			if err != nil {
				return nil, err
			}
			*g.under(n) = kids
		}
		*g.under(over.Node) = append(*g.under(over.Node), n)
		more = append(more, g.grown(n, over.level+1)...)
	}
	return more, nil
}

// graftTurns adds the turns that what an agent wrote comes from, or to turns what was written of them.
func (g *grafting) graftTurns(rd *trust.Reading, by map[memory.ID]grown, ids []memory.ID) error {
	ends, err := g.e.saidIn(rd, ids, g.dir)
	if err != nil {
		return err
	}
	items := make([]*store.Item, len(ends))
	for i, end := range ends {
		items[i] = end.Other
	}
	marked, err := g.e.annotate(rd, items)
	if err != nil {
		return err
	}
	has := make(map[memory.ID]bool)
	for _, end := range ends {
		if g.left--; g.left < 0 {
			break
		}
		has[end.At] = true
		n := node(end.Other)
		if g.seen[n.ID] {
			n = &api.Node{Type: n.Type, ID: n.ID, Seen: true}
		} else {
			marked(map[memory.ID]*api.Node{end.Other.Ref.ID: n})
			if rest := g.depth - by[end.At].level - 1; g.dir == graph.Forward && (g.depth == 0 || rest > 0) {
				var own api.TraceReply
				if n.Derived, err = g.e.tree(rd, end.Other.Ref.ID, g.dir, max(rest, 0), 0, TracePage, &own); err != nil {
					return err
				}
			}
		}
		n.SaidIn = true
		n.Marks = append(n.Marks, saidInMark)
		over := g.under(by[end.At].Node)
		*over = append(*over, n)
	}
	for id, n := range by {
		if g.dir == graph.Back && n.Ends && !has[id] {
			n.Marks = append(n.Marks, AgentsOwn)
		}
	}
	return nil
}

// An inferredEnd is the other end of an inferred link at a record.
type inferredEnd struct {
	At    memory.ID
	Other *store.Item
}

// InferredEnds returns what some records were inferred to come from, or what from them.
// Only the word of an owner who may decide about the memory counts.
func (e *Views) InferredEnds(rd *trust.Reading, ids []memory.ID, dir graph.Direction) ([]inferredEnd, error) {
	links, err := e.standing.Tying(rd, ids...)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	asked := make(map[memory.ID]bool, len(ids))
	for _, id := range ids {
		asked[id] = true
	}
	var out []inferredEnd
	for _, it := range links {
		l := it.Record.Body.(*memory.Link)
		at, other := l.Target, l.Source
		if dir == graph.Forward {
			at, other = other, at
		}
		if l.Detector != inferredProvenance || l.Relation != memory.Derive || !it.State.Live() || !asked[at.ID] {
			continue
		}
		items, err := rd.Get(l.Target.ID, other.ID)
		if err != nil {
			return nil, core.Classify(err)
		}
		v := who.Voice(it.Record)
		if items[0] == nil || items[0].Record == nil || items[1] == nil || !v.Owner || !state.May(v, items[0].Record, who) {
			continue
		}
		out = append(out, inferredEnd{at.ID, items[1]})
	}
	return out, nil
}
