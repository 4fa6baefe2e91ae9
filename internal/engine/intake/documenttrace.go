package intake

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/prov"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// The documents as which a trace is written.
const (
	TraceProv   = "prov"    // W3C PROV, as PROV-JSON
	TraceInToto = "in-toto" // an in-toto Statement, version 1, not signed
)

// TraceDocument writes the whole family tree of a memory, with the claims about all
// that is in it, for tools that know nothing of stemma. It counts as an access.
func (e *Intake) TraceDocument(ctx context.Context, in api.TraceDocumentRequest) (api.TraceDocumentReply, error) {
	var reply api.TraceDocumentReply
	write, ok := map[string]func(prov.Graph) ([]byte, error){
		TraceProv: prov.PROVJSON, TraceInToto: prov.InToto,
	}[in.Format]
	if !ok {
		return reply, core.Invalid(
			"format: must be %s or %s, got %q", TraceProv, TraceInToto, shorten.To(in.Format, 40),
		)
	}
	back, forward, err := views.Directions(in.Direction)
	if err != nil {
		return reply, err
	}
	if in.Depth < 0 {
		return reply, core.Invalid("depth: must be 0 (all) or more, got %d", in.Depth)
	}
	it, err := e.Lookup(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	if it.Record == nil {
		return reply, core.Conflict("%s was purged; nothing is left to trace", it.Ref.Short())
	}
	items := map[memory.ID]*store.Item{it.Ref.ID: it}
	if back {
		err = e.family(ctx, it.Ref.ID, graph.Back, in.Depth, items, &reply)
	}
	if err == nil && forward {
		err = e.family(ctx, it.Ref.ID, graph.Forward, in.Depth, items, &reply)
	}
	if err != nil {
		return reply, err
	}
	g, err := e.graphOf(ctx, it.Ref, items)
	if err != nil {
		return reply, err
	}
	for _, r := range g.Records {
		if !r.Missing && !r.Beyond {
			reply.Records++
		}
	}
	g.Words = in.Words
	if reply.Document, err = write(g); err != nil {
		return reply, err
	}
	e.Touch(ctx, it.Ref.ID)
	return reply, nil
}

// family adds what a walk comes to, as far as it is held.
func (e *Intake) family(
	ctx context.Context, root memory.ID, dir graph.Direction, depth int, items map[memory.ID]*store.Item,
	reply *api.TraceDocumentReply,
) error {
	g := e.ReadingAhead(ctx)
	t, err := lineage.Walk(ctx, g, root, dir, depth, 1+views.TracePage)
	held, readErr := g.End()
	if err = errors.Join(err, readErr); err != nil {
		return core.Classify(err)
	}
	reply.More = reply.More || t.Deeper
	var unread []memory.ID
	for _, id := range t.Order {
		if it := held[id]; it != nil {
			items[id] = it
		} else if items[id] == nil {
			unread = append(unread, id) // the last level is not read ahead, or it is not held
		}
	}
	last, err := e.Store.Get(ctx, unread...)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range last {
		if it != nil {
			items[it.Ref.ID] = it
		}
	}
	return nil
}

// graphOf returns a trace with the claims about everything in it.
func (e *Intake) graphOf(ctx context.Context, root memory.Ref, items map[memory.ID]*store.Item) (prov.Graph, error) {
	g := prov.Graph{Root: root}
	ids := make([]memory.ID, 0, len(items))
	for id := range items {
		ids = append(ids, id)
	}
	claims, err := e.trust.Reading(ctx).Speaking(
		ids, memory.KindWitness, memory.KindAnchor, memory.KindVerify, memory.KindMark, memory.KindAssess,
	)
	if err != nil {
		return g, err
	}
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), ids...)
	if err != nil {
		return g, err
	}
	for _, c := range append(claims, links...) {
		items[c.Ref.ID] = c
	}
	ring, err := e.Keyring(ctx)
	if err != nil {
		return g, err
	}
	cited := make(map[memory.ID]memory.Ref)
	for _, it := range items {
		if it.Record == nil {
			g.Records = append(g.Records, prov.Record{Ref: it.Ref, Missing: true})
			continue
		}
		r := prov.Of(it.Record)
		r.Owner = ring.Voice(it.Record).Principal
		g.Records = append(g.Records, r)
		for _, ref := range it.Record.Cites() {
			if items[ref.ID] == nil {
				cited[ref.ID] = ref
			}
		}
	}
	return g, e.beyond(ctx, cited, &g)
}

// beyond adds records that are cited and held but not part of the trace, so that they do not
// count as missing.
func (e *Intake) beyond(ctx context.Context, cited map[memory.ID]memory.Ref, g *prov.Graph) error {
	ids := make([]memory.ID, 0, len(cited))
	for id := range cited {
		ids = append(ids, id)
	}
	found, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return core.Classify(err)
	}
	for _, it := range found {
		if it != nil && it.Record != nil && it.Ref == cited[it.Ref.ID] {
			g.Records = append(g.Records, prov.Record{Ref: it.Ref, Beyond: true})
		}
	}
	return nil
}
