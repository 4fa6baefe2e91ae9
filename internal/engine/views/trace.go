package views

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// TracePage is how many records one trace shows of each direction.
const TracePage = 10_000

// defaultDepth is how many levels a trace goes by default.
const defaultDepth = 3

// Trace shows the family tree of a record. It counts as an access.
func (e *Views) Trace(ctx context.Context, in api.TraceRequest) (api.TraceReply, error) {
	rd := e.trust.Reading(store.AtOnce(ctx))
	back, forward, err := Directions(in.Direction)
	if err != nil {
		return api.TraceReply{}, err
	}
	depth := defaultDepth
	if in.Depth != nil {
		depth = *in.Depth
	}
	if depth < 0 || in.After < 0 {
		return api.TraceReply{}, core.Invalid("depth: must be 0 (all) or more, got %d", depth)
	}
	it, err := e.Lookup(rd, in.Ref)
	if err != nil {
		return api.TraceReply{}, err
	}
	var reply api.TraceReply
	var ways []*branching
	for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
		if dir == graph.Back && !back || dir == graph.Forward && !forward {
			continue
		}
		w, err := e.branches(rd, it.Ref.ID, dir, depth, in.After, TracePage, &reply)
		if err != nil {
			return reply, err
		}
		ways = append(ways, w)
	}
	items := []*store.Item{it}
	for _, w := range ways {
		items = append(items, w.items...)
	}
	marked, err := e.annotate(rd, items) // together: what the root rests on is in its tree
	if err != nil {
		return reply, err
	}
	reply.Memory = node(it)
	marked(map[memory.ID]*api.Node{it.Ref.ID: reply.Memory})
	for _, w := range ways {
		kids := w.grow(marked)
		if kids, err = e.withInferred(rd, reply.Memory, kids, w.Dir, depth); err != nil {
			return reply, err
		}
		if w.Dir == graph.Forward {
			reply.Forward = &api.Forward{Derived: kids}
			continue
		}
		m := View(it)
		reply.Backward = &api.Backward{SourceType: m.SourceType, CreatedAt: m.CreatedAt, Sources: kids}
	}
	links, err := e.standing.LinksOf(rd, it.Ref.ID)
	if err != nil {
		return reply, err
	}
	if reply.Links, err = e.standing.LinkViews(rd, links); err != nil {
		return reply, err
	}
	reply.Links = slices.DeleteFunc(reply.Links, func(l api.LinkView) bool { return traceReplyDrawn(&reply, l) })
	e.Touch(rd, it.Ref.ID)
	return reply, nil
}

// drawn reports whether a link is drawn as a branch of the tree: one link is one entry.
func traceReplyDrawn(t *api.TraceReply, l api.LinkView) bool {
	if l.Detector != inferredProvenance {
		return false
	}
	in := func(branches []*api.Node, end api.LinkEnd) bool {
		return slices.ContainsFunc(branches, func(n *api.Node) bool { return n.Inferred && n.Type+":"+n.ID == end.Ref })
	}
	return t.Backward != nil && in(t.Backward.Sources, l.Old) || t.Forward != nil && in(t.Forward.Derived, l.New)
}

func Directions(s string) (back, forward bool, err error) {
	switch s {
	case "", "both":
		return true, true, nil
	case "backward", "back":
		return true, false, nil
	case "forward":
		return false, true, nil
	}
	return false, false, core.Invalid("direction: must be both, backward or forward, got %q", shorten.To(s, 40))
}

// A branching is a page of what lies one way from a record, read and not yet hung together.
type branching struct {
	*lineage.Tree
	page  []memory.ID
	items []*store.Item // by place in the page; nil is not held
	root  *store.Item
}

// branches walks one way and reads the page of at most `most` records after the first `after`.
func (e *Views) branches(
	rd *trust.Reading, root memory.ID, dir graph.Direction, depth, after, most int, reply *api.TraceReply,
) (*branching, error) {
	g := e.ReadingAhead(rd)
	t, err := lineage.Walk(rd, g, root, dir, depth, 1+after+most)
	held, readErr := g.End()
	if err = errors.Join(err, readErr); err != nil {
		return nil, core.Classify(err)
	}
	b := &branching{Tree: t, page: t.Order[min(1+after, len(t.Order)):], root: held[root]}
	b.items = make([]*store.Item, len(b.page))
	for i, id := range b.page {
		b.items[i] = held[id]
	}
	if t.Deeper {
		reply.Deeper = true
		if len(t.Order) == 1+after+most {
			reply.Next = after + most
		}
	}
	return b, nil
}

// grow returns the nodes next to the root, with the others under them.
func (b *branching) grow(marked func(map[memory.ID]*api.Node)) []*api.Node {
	p := planting{
		t: b.Tree, nodes: make(map[memory.ID]*api.Node, len(b.page)), cites: make(map[memory.ID]memory.Kind),
	}
	top := p.plant(b.page, b.items, b.root)
	marked(p.nodes)
	return top
}

// tree walks one way, and returns what is next to the root with the rest under it.
func (e *Views) tree(
	rd *trust.Reading, root memory.ID, dir graph.Direction, depth, after, most int, reply *api.TraceReply,
) ([]*api.Node, error) {
	b, err := e.branches(rd, root, dir, depth, after, most, reply)
	if err != nil {
		return nil, err
	}
	marked, err := e.annotate(rd, b.items)
	if err != nil {
		return nil, err
	}
	return b.grow(marked), nil
}

// annotate reads the trust and code state of items before they become nodes. The function
// that it returns marks those of some nodes that are such an item.
func (e *Views) annotate(rd *trust.Reading, items []*store.Item) (mark func(map[memory.ID]*api.Node), err error) {
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	e.receipts.NoteShown("trace", items, trusted)
	marks, err := e.MarksOf(rd, items, trusted, memory.Time{})
	return func(nodes map[memory.ID]*api.Node) {
		for i, it := range items {
			if it == nil || nodes[it.Ref.ID] == nil {
				continue
			}
			n := nodes[it.Ref.ID]
			if v := trusted[it.Ref.ID]; v != nil {
				n.Disputed, n.Doubt, n.By = v.Disputed, string(v.Doubt), v.By
			}
			n.Marks = marks[i]
		}
	}, err
}

// planting hangs nodes under one another.
type planting struct {
	t     *lineage.Tree
	nodes map[memory.ID]*api.Node
	cites map[memory.ID]memory.Kind // the kind under which an absent record is cited
	top   []*api.Node
}

func (p *planting) plant(page []memory.ID, items []*store.Item, root *store.Item) []*api.Node {
	for _, it := range append(items[:len(items):len(items)], root) {
		if it != nil && it.Record != nil {
			for _, ref := range it.Record.Cites() {
				p.cites[ref.ID] = ref.Kind
			}
		}
	}
	for i, id := range page {
		if items[i] != nil {
			p.nodes[id] = node(items[i])
		} else {
			p.nodes[id] = &api.Node{Type: string(p.cites[id]), ID: id.String(), Missing: true}
		}
	}
	p.top = []*api.Node{}
	hung := make(map[memory.ID]bool)
	for _, parent := range p.t.Order {
		for _, child := range p.t.Children[parent] {
			if n := p.nodes[child]; n != nil {
				p.hang(parent, n, hung[child])
				hung[child] = true
			}
		}
	}
	return p.top
}

// hang puts a node under its parent: in full the first time, as a reference
// after that. A parent on an earlier page is named instead.
func (p *planting) hang(parent memory.ID, n *api.Node, again bool) {
	if again {
		n = &api.Node{Type: n.Type, ID: n.ID, Seen: true}
	}
	over := p.nodes[parent]
	switch {
	case parent == p.t.Root:
		p.top = append(p.top, n)
	case over == nil:
		if !again {
			n.Of = parent.String()
			p.top = append(p.top, n)
		}
	case p.t.Dir == graph.Back:
		over.Sources = append(over.Sources, n)
	default:
		over.Derived = append(over.Derived, n)
	}
}

// node shows one record as a tree does.
func node(it *store.Item) *api.Node {
	n := &api.Node{
		Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Hidden: core.Hidden(&it.State),
		Reason: it.State.Reason, Links: it.State.Links, Ends: endsInWords(it),
	}
	r := it.Record
	if r == nil {
		n.Hidden = "purged"
		return n
	}
	n.SourceType, n.CreatedAt = r.Header.Provenance.Via.SourceType(), r.Header.At.String()
	n.Confidence, n.Tier, n.Course = it.State.Confidence.Float(), string(TierOf(it)), CourseOf(it)
	n.At = standing.At(r)
	switch b := r.Body.(type) {
	case *memory.Raw:
		n.Blob, n.Speaker, n.Source = core.Or(b.Said(), memory.Headline(b)), b.Speaker, b.Source
		n.CapturedAt, n.CreatedAt, n.SourceType, n.Confidence = n.CreatedAt, "", "", 0
		n.OccurredAt = b.OccurredAt.String()
	case *memory.Belief:
		n.Statement = b.Statement
	case *memory.Note:
		n.Content = b.Summary
	default:
		n.Title = r.Headline()
	}
	if text := standing.Whole(r); text != n.Blob+n.Title+n.Statement+n.Content {
		n.Text = text
	}
	return n
}

// NodeWords returns all that a node says, whatever its kind, in one line.
func NodeWords(n *api.Node) string {
	switch {
	case n.Missing:
		return "(missing: cited, but not held in this store)"
	case n.Hidden == "purged":
		return standing.PurgedText
	}
	if n.Text != "" {
		return strings.Join(strings.Fields(n.Text), " ")
	}
	return strings.Join(strings.Fields(strings.Join([]string{n.Blob, n.Title, n.Statement, n.Content}, " ")), " ")
}
