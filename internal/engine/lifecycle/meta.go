package lifecycle

import (
	"cmp"
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// DefaultUncertain is the confidence below which a memory is weak.
const DefaultUncertain = 0.5

// Uncertain lists the live memories whose confidence is below a threshold, the
// weakest first.
func (e *Lifecycle) Uncertain(ctx context.Context, in api.UncertainRequest) (api.ListReply, error) {
	reply := api.ListReply{Memories: []api.Memory{}}
	threshold := DefaultUncertain
	if in.Threshold != nil {
		threshold = *in.Threshold
	}
	below, err := memory.Thousandths("threshold", threshold, 0, 1)
	if err != nil {
		return reply, core.Classify(err)
	}
	spaces, err := e.NamedSpaces(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, core.Classify(err)
	}
	var items []*store.Item
	for it, err := range e.standing.Unsure(e.trust.Reading(ctx), nil, spaces, below) {
		if err != nil {
			return reply, err
		}
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(a, b *store.Item) int { return cmp.Compare(a.State.Confidence, b.State.Confidence) })
	if limit := cmp.Or(in.Limit, views.DefaultLimit); limit > 0 && len(items) > limit {
		items, reply.More = items[:limit], true
	}
	reply.Memories, err = e.views.Views(e.trust.Reading(ctx), items...)
	return reply, err
}

// History returns all revisions of a memory, whichever of them is named.
func (e *Lifecycle) History(ctx context.Context, in api.RefRequest) (api.HistoryReply, error) {
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return api.HistoryReply{}, err
	}
	reply := api.HistoryReply{Ref: it.Ref.String()}
	seen := map[memory.ID]bool{it.Ref.ID: true}
	items := []*store.Item{it}
	for level := []memory.ID{it.Ref.ID}; len(level) > 0; {
		next, err := e.rivalRevisions(ctx, level, seen)
		if err != nil {
			return reply, err
		}
		found, err := e.Store.Get(ctx, next...)
		if err != nil {
			return reply, core.Classify(err)
		}
		items, level = append(items, found...), next
	}
	items = slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil })
	slices.SortStableFunc(items, func(a, b *store.Item) int { return cmp.Compare(Written(a), Written(b)) })
	if reply.Revisions, err = e.views.Views(e.trust.Reading(ctx), items...); err != nil {
		return reply, err
	}
	for _, it := range items {
		reply.Forked = reply.Forked || it.State.Outranked && it.State.SupersededBy.IsZero()
	}
	return reply, nil
}

func Written(it *store.Item) int64 {
	if it.Record == nil {
		return 0
	}
	return it.Record.Header.At.Time().UnixMilli()
}

// rivalRevisions returns the records not seen yet that replace or are replaced
// by one of ids.
func (e *Lifecycle) rivalRevisions(
	ctx context.Context, ids []memory.ID, seen map[memory.ID]bool,
) ([]memory.ID, error) {
	var next []memory.ID
	for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
		edges, err := e.Store.Edges(ctx, dir, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, edge := range edges {
			other := edge.To
			if dir == graph.Forward {
				other = edge.From
			}
			if edge.Rel == graph.Supersedes && !seen[other] {
				seen[other] = true
				next = append(next, other)
			}
		}
	}
	replaced, err := e.replacedByLinks(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, other := range replaced {
		if !seen[other] {
			seen[other] = true
			next = append(next, other)
		}
	}
	return next, nil
}

// replacedByLinks returns the memories that a person said take the place of some, or
// that these take the place of.
func (e *Lifecycle) replacedByLinks(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), ids...)
	if err != nil {
		return nil, err
	}
	var out []memory.ID
	for _, it := range links {
		l, ok := it.Record.Body.(*memory.Link)
		if !ok || l.Relation != memory.Update {
			continue
		}
		source, err := e.One(ctx, l.Source.ID)
		if err != nil {
			return nil, err
		}
		if source != nil && source.State.SupersededBy == l.Target.ID {
			out = append(out, l.Source.ID, l.Target.ID)
		}
	}
	return out, nil
}
