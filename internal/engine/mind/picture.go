package mind

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// PictureRequest says which part of the family tree to draw: what some roots come
// from and what came of them, or records that are named one by one.
type PictureRequest struct {
	Roots []PictureRoot `json:"roots,omitempty"`
	Only  []string      `json:"only,omitempty" jsonschema:"these records, and none beside"`
	Limit int           `json:"limit,omitempty" jsonschema:"nodes; 0 is 400, at most 10000"`
}

// PictureRoot is where a walk begins, and how many levels it goes each way; -1 is
// all of them.
type PictureRoot struct {
	Ref     string `json:"ref"`
	Back    int    `json:"back"`
	Forward int    `json:"forward"`
}

// PictureReply is a part of a family tree as a list of nodes and of arrows between
// them. Places in Nodes are what arrows and Roots name.
type PictureReply struct {
	Roots  []int          `json:"roots"`
	Nodes  []PictureNode  `json:"nodes"`
	Arrows []PictureArrow `json:"arrows"`
	Full   bool           `json:"full,omitempty"` // there would be more than the limit
}

// A PictureNode is one record, with what is known of it on each of the three axes.
type PictureNode struct {
	Ref        string   `json:"ref"`
	Kind       string   `json:"kind"`
	Words      string   `json:"words"`
	At         string   `json:"at,omitempty"`
	Said       string   `json:"said,omitempty"`    // when it was said or happened, where that is another time
	Speaker    string   `json:"speaker,omitempty"` // of a raw
	Writer     string   `json:"writer,omitempty"`  // who wrote it: an agent, you, another person
	Tier       string   `json:"tier,omitempty"`
	Trust      *float64 `json:"trust,omitempty"`
	Level      string   `json:"level,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Actionable bool     `json:"actionable,omitempty"`
	Hidden     string   `json:"hidden,omitempty"`
	Marks      []string `json:"marks,omitempty"` // what a reader must know beside the words
	Until      string   `json:"until,omitempty"` // the day until which it held, where it does not hold now
	Review     string   `json:"review,omitempty"`
	Disputed   bool     `json:"disputed,omitempty"`
	Tainted    bool     `json:"tainted,omitempty"`
	api.Course
	Missing bool `json:"missing,omitempty"` // cited, but not held here
	Older   int  `json:"older,omitempty"`   // sources that are not in the picture
	Newer   int  `json:"newer,omitempty"`   // derived from it, and not in the picture
}

// A PictureArrow goes from what is newer to what is older.
type PictureArrow struct {
	Newer int    `json:"newer"`
	Older int    `json:"older"`
	How   string `json:"how,omitempty"` // "" is derived from; or inferred, revises, or the relation of a link
}

// Bounds of a picture.
const (
	pictureNodes = 400    // by default
	mostPictured = 10_000 // whatever is asked for
)

// Picture returns a part of the family tree to be drawn. Nothing of it counts as
// having been used, except the roots.
func (e *Mind) Picture(ctx context.Context, in PictureRequest) (PictureReply, error) {
	ctx = store.AtOnce(ctx)
	p := &picturing{
		e: e, most: in.Limit, place: make(map[memory.ID]int), cited: make(map[memory.ID]memory.Kind),
		reply: PictureReply{Roots: []int{}, Arrows: []PictureArrow{}},
	}
	if p.most == 0 {
		p.most = pictureNodes
	}
	if p.most < 1 || p.most > mostPictured {
		return p.reply, core.Invalid("limit: must be from 1 to %d, got %d", mostPictured, in.Limit)
	}
	if len(in.Roots)+len(in.Only) == 0 {
		return p.reply, core.Invalid("roots: name a record to begin with")
	}
	if err := p.walk(ctx, in); err != nil {
		return p.reply, err
	}
	for _, do := range []func(context.Context) error{p.read, p.inferred, p.read, p.nodes, p.derivations} {
		if err := do(ctx); err != nil {
			return p.reply, err
		}
	}
	return p.reply, p.links(ctx)
}

// picturing is one picture being put together.
type picturing struct {
	e     *Mind
	most  int
	order []memory.ID
	place map[memory.ID]int // in order
	items []*store.Item     // by place; nil is not held
	cited map[memory.ID]memory.Kind
	reply PictureReply
}

// tied are the records that links speak of.
func (p *picturing) tied() []memory.ID {
	var ids []memory.ID
	for i, it := range p.items {
		if it != nil && it.State.Links > 0 {
			ids = append(ids, p.order[i])
		}
	}
	return ids
}

// add returns a record a place, unless it has one or there are enough.
func (p *picturing) add(id memory.ID) bool {
	if _, has := p.place[id]; has {
		return true
	}
	if len(p.order) >= p.most {
		p.reply.Full = true
		return false
	}
	p.place[id] = len(p.order)
	p.order = append(p.order, id)
	return true
}

// walk finds the records that are drawn. The roots come first, so that the limit
// leaves them in.
func (p *picturing) walk(ctx context.Context, in PictureRequest) error {
	var roots []memory.ID
	for _, root := range in.Roots {
		it, err := p.e.Lookup(ctx, root.Ref)
		if err != nil {
			return err
		}
		if roots = append(roots, it.Ref.ID); p.add(it.Ref.ID) {
			p.reply.Roots = append(p.reply.Roots, p.place[it.Ref.ID])
		}
	}
	p.e.Touch(ctx, roots[:min(1, len(roots))]...) // the others were opened on the way
	for _, s := range in.Only {
		ref, err := memory.ParseRef(s)
		if err != nil {
			return core.Invalid("only: %v", err)
		}
		p.cited[ref.ID] = ref.Kind
		p.add(ref.ID)
	}
	for i, root := range in.Roots {
		for _, way := range []struct {
			dir    graph.Direction
			levels int
		}{{graph.Back, root.Back}, {graph.Forward, root.Forward}} {
			if way.levels == 0 {
				continue
			}
			t, err := lineage.Walk(ctx, p.e.Store, roots[i], way.dir, max(way.levels, 0), p.most)
			if err != nil {
				return core.Classify(err)
			}
			p.reply.Full = p.reply.Full || t.Deeper && len(t.Order) >= p.most
			for _, id := range t.Order {
				p.add(id)
			}
		}
	}
	return nil
}

// read reads the records that were added.
func (p *picturing) read(ctx context.Context) error {
	for part := range slices.Chunk(p.order[len(p.items):], core.ExportPage) {
		items, err := p.e.Store.Get(ctx, part...)
		if err != nil {
			return core.Classify(err)
		}
		p.items = append(p.items, items...)
	}
	return nil
}

// nodes shows the records.
func (p *picturing) nodes(ctx context.Context) error {
	trusted, err := p.e.trust.Rate(p.e.trust.Reading(ctx), p.items, false)
	if err != nil {
		return err
	}
	marks, err := p.e.views.MarksOf(p.e.trust.Reading(ctx), p.items, trusted, memory.Time{})
	if err != nil {
		return err
	}
	for _, it := range p.items {
		if it != nil && it.Record != nil {
			for _, ref := range it.Record.Cites() {
				p.cited[ref.ID] = ref.Kind
			}
		}
	}
	p.reply.Nodes = make([]PictureNode, len(p.order))
	for i, it := range p.items {
		p.reply.Nodes[i] = pictureNode(it, memory.Ref{Kind: p.cited[p.order[i]], ID: p.order[i]})
		if v := trusted[p.order[i]]; v != nil {
			showNodeRating(&p.reply.Nodes[i], v)
		}
		p.reply.Nodes[i].Marks = marks[i]
	}
	return nil
}

// pictureNode shows a record; nil is one that is cited as ref and not held.
func pictureNode(it *store.Item, ref memory.Ref) PictureNode {
	if it == nil {
		return PictureNode{
			Ref: ref.String(), Kind: string(ref.Kind), Words: "(cited, but not held in this store)",
			Missing: true,
		}
	}
	n := PictureNode{
		Ref: it.Ref.String(), Kind: string(it.Ref.Kind), Hidden: core.Hidden(&it.State),
		Review: string(it.State.Review), Words: standing.PurgedText,
	}
	r := it.Record
	if r == nil {
		return n
	}
	n.Words, n.At, n.Tier = r.Headline(), r.Header.At.String(), string(views.TierOf(it))
	n.Speaker = standing.Speaker(r.Body)
	if n.Writer = r.Header.Agent; n.Writer == "" {
		n.Writer = writers[r.Header.Origin]
	}
	if at := standing.At(r); at != n.At {
		n.Said = at
	}
	if raw, ok := r.Body.(*memory.Raw); ok {
		if !raw.OccurredAt.IsZero() {
			n.At, n.Said = raw.OccurredAt.String(), ""
		}
		return n
	}
	sure := it.State.Confidence.Float()
	n.Confidence, n.Course = &sure, views.CourseOf(it)
	return n
}

// writers are who wrote a record where no name says it.
var writers = map[memory.Origin]string{
	memory.OriginOwner: "you", memory.OriginAgent: "an agent", memory.OriginTool: "a tool",
	memory.OriginImport: "imported",
}

func showNodeRating(n *PictureNode, v *trust.Rating) {
	score := core.DecimalTrust(v.Score)
	n.Trust, n.Level, n.Actionable, n.Disputed, n.Tainted = &score, string(v.Level), v.Actionable, v.Disputed, v.Tainted
	if n.Until = v.Ended(); v.By != "" {
		n.Writer = v.By
	}
}
