package views

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Provenance says how a record came to be.
func (e *Views) Provenance(ctx context.Context, in api.RefRequest) (api.ProvenanceReply, error) {
	rd := e.trust.Reading(ctx)
	it, err := e.Lookup(rd, in.Ref)
	if err != nil {
		return api.ProvenanceReply{}, err
	}
	p := api.ProvenanceReply{Ref: it.Ref.String(), ConfidenceHistory: []api.ConfidenceChange{}}
	derived, err := e.DerivedFrom(rd, it.Ref.ID)
	if err != nil {
		return p, err
	}
	for _, d := range derived {
		p.DerivedInto = append(p.DerivedInto, d.Ref.String())
	}
	p.SupersededBy = refOrNone(it.Ref.Kind, it.State.SupersededBy)
	p.Hidden = core.Hidden(&it.State)
	if it.Record == nil {
		return p, nil
	}
	h := &it.Record.Header
	p.SourceType, p.CreatedVia = h.Provenance.Via.SourceType(), string(h.Provenance.Via)
	p.CreatedAt, p.Author, p.Origin, p.Session = h.At.String(), h.Author, string(h.Origin), h.Session
	p.DerivedFrom, p.Supersedes = core.RefStrings(h.Provenance.From), core.RefStrings(h.Provenance.Supersedes)
	p.ConsolidationID, p.PromotionContext, p.Run = h.Provenance.Batch, h.Provenance.Context, h.Provenance.Run
	for _, ref := range h.Provenance.From {
		if ref.Kind == memory.KindRaw {
			p.SourceRawIDs = append(p.SourceRawIDs, ref.ID.String())
		} else {
			p.SourceMemoryRefs = append(p.SourceMemoryRefs, ref.String())
		}
		if ref.Kind == memory.KindEpisode {
			p.SourceEpisodes = append(p.SourceEpisodes, ref.String())
		}
	}
	p.ConfidenceHistory, err = e.standing.ConfidenceChanges(rd, it)
	return p, err
}

// Derived returns the memories that were derived from a record directly.
func (e *Views) Derived(ctx context.Context, in api.RefRequest) (api.RelatedReply, error) {
	rd := e.trust.Reading(ctx)
	return e.related(rd, in.Ref, graph.Forward, 1)
}

// Sources returns the memories a record was derived from directly.
func (e *Views) Sources(ctx context.Context, in api.RefRequest) (api.RelatedReply, error) {
	rd := e.trust.Reading(ctx)
	return e.related(rd, in.Ref, graph.Back, 1)
}

// FromRaw returns every memory that traces back to a raw, however far.
func (e *Views) FromRaw(ctx context.Context, in api.RefRequest) (api.RelatedReply, error) {
	rd := e.trust.Reading(ctx)
	return e.related(rd, in.Ref, graph.Forward, 0)
}

// RawSources returns the raws that a memory ultimately rests on.
func (e *Views) RawSources(ctx context.Context, in api.RefRequest) (api.RelatedReply, error) {
	rd := e.trust.Reading(ctx)
	reply, err := e.related(rd, in.Ref, graph.Back, 0)
	raws := []api.Related{}
	for _, r := range reply.Related {
		if r.Type == string(memory.KindRaw) {
			raws = append(raws, r)
		}
	}
	reply.Related = raws
	return reply, err
}

func (e *Views) related(rd *trust.Reading, ref string, dir graph.Direction, depth int) (api.RelatedReply, error) {
	it, err := e.Lookup(rd, ref)
	if err != nil {
		return api.RelatedReply{}, err
	}
	reply := api.RelatedReply{Ref: it.Ref.String(), Related: []api.Related{}}
	t, err := lineage.Walk(rd, e.Store, it.Ref.ID, dir, depth, 0)
	if err != nil {
		return reply, core.Classify(err)
	}
	items, err := rd.Get(t.Order[1:]...)
	if err != nil {
		return reply, core.Classify(err)
	}
	how := relationships(t, append(items, it))
	if depth == 0 {
		more, err := e.relatedTurns(rd, append(slices.Clip(items), it), dir)
		if err != nil {
			return reply, err
		}
		for _, m := range more {
			how[m.Ref.ID] = saidInRelation
		}
		items = append(items, more...)
	}
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return reply, err
	}
	marks, err := e.MarksOf(rd, items, trusted, memory.Time{})
	if err != nil {
		return reply, err
	}
	for i, it := range items {
		if it == nil {
			continue
		}
		n := api.Related{
			Type: string(it.Ref.Kind), ID: it.Ref.ID.String(), Headline: standing.PurgedText,
			Depth: t.Depth[it.Ref.ID], Relationship: how[it.Ref.ID],
			Marks: marks[i],
		}
		if r := it.Record; r != nil {
			n.Headline, n.Text, n.Speaker = r.Headline(), standing.Beyond(r), standing.Speaker(r.Body)
			n.At, n.CreatedAt = standing.At(r), r.Header.At.String()
			if v := trusted[it.Ref.ID]; v != nil {
				n.By = v.By
			}
			n.Course = CourseOf(it)
		}
		reply.Related = append(reply.Related, n)
	}
	return reply, nil
}

// relationships says how each record of a tree relates to the one that it was reached from.
// The derived record decides, so that a relation has the same name from both ends.
func relationships(t *lineage.Tree, items []*store.Item) map[memory.ID]string {
	via := make(map[memory.ID]string, len(items))
	for _, it := range items {
		if it != nil && it.Record != nil {
			via[it.Ref.ID] = string(it.Record.Header.Provenance.Via)
		}
	}
	if t.Dir == graph.Forward {
		return via
	}
	how := make(map[memory.ID]string, len(items))
	for _, derived := range t.Order {
		for _, source := range t.Children[derived] {
			if _, known := how[source]; !known {
				how[source] = via[derived]
			}
		}
	}
	return how
}
