package mind

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

// The kinds of arrows in a picture that are neither derivations nor links.
const (
	arrowInferred = "inferred" // a person said so later
	arrowRevises  = "revises"
)

// inferred adds what a person said that records come from.
func (p *picturing) inferred(ctx context.Context) error {
	for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
		ends, err := p.e.views.InferredEnds(p.e.trust.Reading(ctx), p.tied(), dir)
		if err != nil {
			return err
		}
		for _, end := range ends {
			at, drawn := p.place[end.At]
			if !drawn || !p.add(end.Other.Ref.ID) {
				continue
			}
			a := PictureArrow{Newer: at, Older: p.place[end.Other.Ref.ID], How: arrowInferred}
			if dir == graph.Forward {
				a.Newer, a.Older = a.Older, a.Newer
			}
			if !slices.Contains(p.reply.Arrows, a) {
				p.reply.Arrows = append(p.reply.Arrows, a)
			}
		}
	}
	return nil
}

// derivations draws the arrows between the nodes, and counts those that leave the
// picture.
func (p *picturing) derivations(ctx context.Context) error {
	for part := range slices.Chunk(p.order, core.ExportPage) {
		back, err := p.e.Store.Edges(ctx, graph.Back, part...)
		if err != nil {
			return core.Classify(err)
		}
		for _, edge := range back {
			from := p.place[edge.From]
			to, drawn := p.place[edge.To]
			switch {
			case edge.Rel == graph.DerivedFrom && drawn:
				p.reply.Arrows = append(p.reply.Arrows, PictureArrow{Newer: from, Older: to})
			case edge.Rel == graph.DerivedFrom:
				p.reply.Nodes[from].Older++
			case edge.Rel == graph.Supersedes && drawn:
				p.reply.Arrows = append(p.reply.Arrows, PictureArrow{Newer: from, Older: to, How: arrowRevises})
			}
		}
		forward, err := p.e.Store.Edges(ctx, graph.Forward, part...)
		if err != nil {
			return core.Classify(err)
		}
		for _, edge := range forward {
			if _, drawn := p.place[edge.From]; edge.Rel == graph.DerivedFrom && !drawn {
				p.reply.Nodes[p.place[edge.To]].Newer++
			}
		}
	}
	return nil
}

// links draws how the nodes relate otherwise: a contradiction, an update that
// somebody proposed.
func (p *picturing) links(ctx context.Context) error {
	found, err := p.e.standing.LinksOf(p.e.trust.Reading(ctx), p.tied()...)
	if err != nil {
		return err
	}
	shown, err := p.e.standing.LinkViews(p.e.trust.Reading(ctx), found)
	if err != nil {
		return err
	}
	for _, l := range shown {
		old, oldErr := memory.ParseRef(l.Old.Ref)
		newer, newErr := memory.ParseRef(l.New.Ref)
		if oldErr != nil || newErr != nil || !slices.Contains(drawnLinks, l.State) {
			continue
		}
		from, drawn := p.place[newer.ID]
		to, both := p.place[old.ID]
		if drawn && both && !p.drawn(from, to) {
			p.reply.Arrows = append(p.reply.Arrows, PictureArrow{Newer: from, Older: to, How: l.Relation})
		}
	}
	return nil
}

// drawnLinks are the states of the links that say something of both memories.
var drawnLinks = []string{
	standing.LinkOpen, standing.LinkProposed, standing.LinkKept, standing.LinkAccepted, standing.LinkApplied,
}

// drawn reports whether an inferred arrow says already what a link would.
func (p *picturing) drawn(newer, older int) bool {
	return slices.Contains(p.reply.Arrows, PictureArrow{Newer: newer, Older: older, How: arrowInferred}) ||
		slices.Contains(p.reply.Arrows, PictureArrow{Newer: older, Older: newer, How: arrowInferred})
}
