package views

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// inferredProvenance is the detector of links that say where a memory without sources
// seems to come from.
const inferredProvenance = "inferred provenance"

// How likeness is judged.
const (
	inferWithin    = 24 * time.Hour // where they are not of one session
	inferRare      = 50             // memories that a term may occur in, to be rare
	inferTerms     = 200            // of one memory that are looked at
	inferBytes     = 16 << 10       // of its words
	inferShared    = 2              // rare terms that both must have
	inferThreshold = 0.3
	inferSources   = 3   // proposed for one memory
	inferSession   = 1.2 // what one session makes of a score
)

// InferProvenance proposes, by time and similarity, the sources of memories that have none.
// Nothing is applied unless a person approves it, and then as links beside the lineage: signed
// records never change, and a trace marks these links as inferred.
func (e *Views) InferProvenance(ctx context.Context, in api.InferProvenanceRequest) (api.InferProvenanceReply, error) {
	rd := e.trust.Reading(ctx)
	reply := api.InferProvenanceReply{Proposals: []api.Inferred{}}
	applies := in.All || len(in.Apply) > 0
	var only map[memory.ID]bool
	switch {
	case in.All && len(in.Apply) > 0:
		return reply, core.Invalid("apply: name memories, or all, not both")
	case applies:
		if err := e.OwnerOnly("say where memories come from"); err != nil {
			return reply, err
		}
		if len(in.Apply) > 0 {
			items, err := e.ResolveAll(rd, in.Apply)
			if err != nil {
				return reply, err
			}
			only = make(map[memory.ID]bool)
			for _, it := range items {
				only[it.Ref.ID] = true
			}
		}
	}
	spaces, err := e.NamedSpaces(rd)
	if err != nil {
		return reply, core.Classify(err)
	}
	var found []*inference
	for _, space := range spaces {
		p := inferring{e: e, space: space}
		if err := p.gather(rd); err != nil {
			return reply, err
		}
		reply.Legacy += len(p.legacy)
		found = append(found, p.infer()...)
	}
	slices.SortStableFunc(found, func(a, b *inference) int { return cmp.Compare(b.score, a.score) })
	if only != nil {
		found = slices.DeleteFunc(found, func(f *inference) bool { return !only[f.of.ref.ID] })
		for id := range only {
			if !slices.ContainsFunc(found, func(f *inference) bool { return f.of.ref.ID == id }) {
				return reply, core.NotFound("nothing is proposed for %s", id.Short())
			}
		}
	}
	reply.Total = len(found)
	links, err := e.applyInferred(rd, found, applies)
	if err != nil {
		return reply, err
	}
	reply.Applied = len(links)
	if limit := cmp.Or(in.Limit, DefaultLimit); limit > 0 && len(found) > limit {
		found, reply.More = found[:limit], true
	}
	return reply, e.showInferred(rd, &reply, found, links)
}

// inferLinks is how many links are stored at once.
const inferLinks = 500

// applyInferred writes links with the owner's key, in the order of found.
func (e *Views) applyInferred(rd *trust.Reading, found []*inference, apply bool) ([]*memory.Record, error) {
	if !apply {
		return nil, nil
	}
	var links []*memory.Record
	for part := range slices.Chunk(found, inferLinks) {
		var b store.Batch
		for _, f := range part {
			link, err := e.Sign(memory.Header{
				Origin: memory.OriginOwner, Space: f.space, Confidence: memory.Confidence(
					math.Round(f.score * float64(memory.Certain)),
				),
				Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "infer provenance"},
			}, &memory.Link{
				Source: f.from.ref, Target: f.of.ref, Relation: memory.Derive, Reason: f.reason(), Detector: inferredProvenance,
			})
			if err != nil {
				return links, err
			}
			b.Records = append(b.Records, link)
		}
		if err := e.Append(rd, b); err != nil {
			return links, err
		}
		links = append(links, b.Records...)
	}
	return links, nil
}

func (e *Views) showInferred(
	rd *trust.Reading, reply *api.InferProvenanceReply, found []*inference, links []*memory.Record,
) error {
	var ids []memory.ID
	for _, f := range found {
		ids = append(ids, f.of.ref.ID, f.from.ref.ID)
	}
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	headline := func(it *store.Item) string {
		if it == nil || it.Record == nil {
			return standing.PurgedText
		}
		return it.Record.Headline()
	}
	said := func(it *store.Item) (text, at string) {
		if it == nil || it.Record == nil {
			return "", ""
		}
		return standing.Beyond(it.Record), standing.At(it.Record)
	}
	for i, f := range found {
		one := api.Inferred{
			Ref: f.of.ref.String(), Headline: headline(items[2*i]), Source: f.from.ref.String(),
			SourceHeadline: headline(items[2*i+1]),
			Score:          math.Round(f.score*1000) / 1000, Reason: f.reason(), Shared: f.shared,
		}
		one.Text, one.At = said(items[2*i])
		one.SourceText, one.SourceAt = said(items[2*i+1])
		if i < len(links) {
			one.Link = links[i].Ref().String()
		}
		reply.Proposals = append(reply.Proposals, one)
	}
	return nil
}
