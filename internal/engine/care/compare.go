package care

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Compare has a memory that was written directly compared with older ones, once.
func (e *Care) Compare(ctx context.Context, in api.CompareRequest) (api.CompareReply, error) {
	reply := api.CompareReply{Links: []api.LinkView{}}
	it, err := e.ResolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	reply.Ref = it.Ref.String()
	if it.Record == nil || !it.State.Live() {
		return reply, core.Conflict("%s is not shown any more", it.Ref.Short())
	}
	if !lifecycle.IsCompared(it.Record) {
		return reply, core.Invalid(
			"%s: beliefs, notes, relationships, goals and single events are compared, not a %s", it.Ref.Short(),
			it.Ref.Kind,
		)
	}
	with, err := e.olderOf(ctx, it, in.With)
	if err != nil {
		return reply, err
	}
	key := "detect/" + it.Ref.ID.String()
	for _, ref := range with {
		key += "/" + ref.ID.String()[:16]
	}
	j, err := e.lifecycle.NewJob(
		lifecycle.TaskDetect, key, it.Record.Header.Space, lifecycle.Detecting{New: it.Ref, With: with},
	)
	if err != nil {
		return reply, err
	}
	if err := e.Append(ctx, store.Batch{Jobs: []store.Job{j}}); err != nil {
		return reply, err
	}
	if !in.Wait {
		reply.Jobs = []string{j.Key}
		return reply, nil
	}
	done, err := e.lifecycle.RunPending(ctx, lifecycle.WorkOrder{Keys: []string{j.Key}, Now: true, Tell: true})
	if err != nil {
		return reply, err
	}
	reply.Notes, reply.Jobs = done.Notes, done.Left
	links, err := e.standing.LinksOf(e.trust.Reading(ctx), it.Ref.ID)
	if err != nil {
		return reply, err
	}
	if views, err := e.standing.LinkViews(e.trust.Reading(ctx), links); err != nil {
		return reply, err
	} else if len(views) > 0 {
		reply.Links = views
	}
	return reply, nil
}

// olderOf reads the names of the memories that one is to be compared with.
func (e *Care) olderOf(ctx context.Context, it *store.Item, refs []string) ([]memory.Ref, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	if len(refs) > evolve.MostCandidates {
		return nil, core.Invalid("with: at most %d memories, got %d", evolve.MostCandidates, len(refs))
	}
	items, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, o := range items {
		switch {
		case o.Record == nil:
			return nil, core.Conflict("%s was purged", o.Ref.Short())
		case o.Ref == it.Ref:
			return nil, core.Invalid("with: %s is the new memory itself", o.Ref.Short())
		case !lifecycle.IsCompared(o.Record):
			return nil, core.Invalid("with: %s is a %s, which is not compared", o.Ref.Short(), o.Ref.Kind)
		case !e.Compares(o.Record, it.Record):
			return nil, core.Invalid("with: %s is in another space than %s", o.Ref.Short(), it.Ref.Short())
		}
	}
	return core.RefsOf(items), nil
}
