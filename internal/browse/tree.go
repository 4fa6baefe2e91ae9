package browse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// unfold opens a branch, and asks first where no one asked yet.
func (p *page) unfold(ctx context.Context, ask Asker, b *branch) error {
	if !b.asked {
		depth, direction := 1, "backward"
		if b.dir == graph.Forward {
			direction = "forward"
		}
		t, err := ask.Trace(ctx, api.TraceRequest{Ref: b.node.Type + ":" + b.node.ID, Direction: direction, Depth: &depth})
		if err != nil {
			return err
		}
		b.asked = true
		if t.Backward != nil {
			b.kids = fresh(t.Backward.Sources, b)
		} else if t.Forward != nil {
			b.kids = fresh(t.Forward.Derived, b)
		}
	}
	b.open = len(b.kids) > 0
	p.drop()
	return nil
}

// fold opens every branch that is known by one level more, or closes all.
func (m *Model) fold(open bool) {
	p, ok := m.here().(*page)
	if !ok || p.look != lookTree {
		return
	}
	var walk func(list []*branch)
	walk = func(list []*branch) {
		for _, b := range list {
			if open && !b.open {
				b.open = len(b.kids) > 0
				continue
			}
			b.open = b.open && open
			walk(b.kids)
		}
	}
	walk(p.up)
	walk(p.down)
	p.drop()
}

func (p *page) tree(width int) []row {
	out := []row{plainRow(bold, "IT RESTS ON")}
	out = hang(out, p.up, "", width)
	if len(p.up) == 0 {
		out = append(out, plainRow(dim, "nothing"))
	}
	out = append(out, row{}, plainRow(bold, "CAME OF IT"))
	out = hang(out, p.down, "", width)
	if len(p.down) == 0 {
		out = append(out, plainRow(dim, "nothing yet"))
	}
	if p.deeper {
		out = append(out, plainRow(yellow, "… more than a screen can hold: stemma trace REF --after goes on"))
	}
	if len(p.links) > 0 {
		out = append(out, row{}, plainRow(bold, "RELATES TO"))
	}
	for _, l := range p.links {
		out = append(out, p.relation(l))
	}
	return out
}

// relations name the relation of a link's newer memory to the older one, and the reverse.
var relations = map[string][2]string{
	"update": {
		"proposed in place of", "may be replaced by",
	}, "contradict": {"contradicts", "is contradicted by"}, "extend": {"adds to", "is added to by"},
	"derive": {"follows from", "is followed by"}, "supports": {"supports", "is supported by"},
}

// relation shows a link as seen from the record whose page it is.
func (p *page) relation(l api.LinkView) row {
	verbs, known := relations[l.Relation]
	if !known {
		verbs = [2]string{oneLine(l.Relation), oneLine(l.Relation)}
	}
	if l.State == "accepted" || l.State == "applied" {
		verbs = [2]string{"took the place of", "was replaced by"}
	}
	verb, other := verbs[0], l.Old
	if l.Old.Ref == p.shown.Ref || l.Old.Was == p.shown.Ref {
		verb, other = verbs[1], l.New
	}
	if l.State != "accepted" {
		verb += " (" + l.State + ")"
	}
	hidden := ""
	if other.Hidden != "" {
		hidden = "[" + other.Hidden + "] "
	}
	return row{
		pieces: []piece{{purple, verb}, {"", " " + shortRef(other.Ref) + " "}, {red, hidden}, {"", oneLine(other.Headline)}},
		ref:    other.Ref,
	}
}

// hang draws branches and what is open below them.
func hang(out []row, list []*branch, lead string, width int) []row {
	for i, b := range list {
		elbow, under := "├ ", "│ "
		if i == len(list)-1 {
			elbow, under = "└ ", "  "
		}
		out = append(out, b.row(lead+elbow, width))
		if b.open {
			out = hang(out, b.kids, lead+under, width)
		}
	}
	return out
}

func (b *branch) row(lead string, width int) row {
	n := b.node
	r := row{branch: b, ref: n.Type + ":" + n.ID, pieces: []piece{{dim, lead}, {"", b.mark()}}}
	name := n.Type
	if width >= wide {
		name = shortRef(r.ref)
	}
	r.pieces = append(r.pieces, piece{kindStyle(n.Type), name}, piece{"", " "})
	if n.Seen {
		r.pieces = append(r.pieces, piece{dim, "(in full elsewhere)"})
		return r
	}
	if width >= wide && n.Tier != "" {
		r.pieces = append(r.pieces, piece{tierStyle[n.Tier], n.Tier + " "})
	}
	for _, mark := range b.flags() {
		r.pieces = append(r.pieces, piece{red, "[" + mark + "] "})
	}
	style := ""
	if n.Hidden != "" || n.Missing {
		style = dim
	}
	r.pieces = append(r.pieces, piece{style, oneLine(said(n.Speaker, engine.NodeWords(n)))})
	return r
}

// flags are what must not be overlooked of a record in a tree.
func (b *branch) flags() []string {
	out := inRow(b.node.Marks, b.node.Hidden)
	if b.node.Inferred {
		out = append(out, "inferred")
	}
	return out
}

// inRow returns marks as one row has room for: what took the place of a record is left to its page.
func inRow(marks []string, hidden string) []string {
	out := slices.Clone(marks)
	if hidden != "" && len(out) > 0 {
		out[0] = hidden
	}
	return out
}

// mark shows whether a branch is open, closed, or has nothing under it.
func (b *branch) mark() string {
	switch {
	case b.open:
		return "▾ "
	case len(b.kids) > 0 || !b.asked:
		return "▸ "
	}
	return "· "
}

func (b *branch) about() string {
	n := b.node
	s := n.Type + ":" + shorten.To(n.ID, 12)
	at := or(n.At, or(n.CreatedAt, or(n.OccurredAt, n.CapturedAt)))
	switch {
	case n.Missing:
		return s + "  cited, but not held in this store"
	case n.Seen:
		return s + "  shown in full above; → goes there"
	case n.Type == string(memory.KindRaw):
		s += "  words"
		if n.Source != "" {
			s += " from " + plain.Line(n.Source, 30)
		}
		s += ", " + day(at)
	default:
		s += fmt.Sprintf(
			"  %s, confidence %.2f, %s, %s", or(n.Tier, "no tier"), n.Confidence,
			strings.ReplaceAll(n.SourceType, "_", " "), day(at),
		)
	}
	if n.Reason != "" {
		s += "; " + n.Hidden + ": " + plain.Line(n.Reason, 80)
	}
	return s
}
