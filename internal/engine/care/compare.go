package care

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/store"
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
	j, err := e.lifecycle.NewJob(
		lifecycle.TaskDetect, "detect/"+it.Ref.ID.String(), it.Record.Header.Space,
		lifecycle.Detecting{New: it.Ref},
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
	links, err := e.views.LinksOf(ctx, it.Ref.ID)
	if err != nil {
		return reply, err
	}
	if views, err := e.views.LinkViews(ctx, links); err != nil {
		return reply, err
	} else if len(views) > 0 {
		reply.Links = views
	}
	return reply, nil
}
