package engine

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
)

// Compare has a memory that was written directly compared with older ones, once.
func (e *Engine) Compare(ctx context.Context, in api.CompareRequest) (api.CompareReply, error) {
	reply := api.CompareReply{Links: []api.LinkView{}}
	it, err := e.resolveMemory(ctx, in.Ref)
	if err != nil {
		return reply, err
	}
	reply.Ref = it.Ref.String()
	if it.Record == nil || !it.State.Live() {
		return reply, conflict("%s is not shown any more", it.Ref.Short())
	}
	if !slices.Contains(comparedKinds, it.Ref.Kind) {
		return reply, invalid("%s: beliefs, notes, relationships and goals are compared, not a %s", it.Ref.Short(), it.Ref.Kind)
	}
	j, err := e.newJob(taskDetect, "detect/"+it.Ref.ID.String(), it.Record.Header.Space, detecting{New: it.Ref})
	if err != nil {
		return reply, err
	}
	if err := e.append(ctx, store.Batch{Jobs: []store.Job{j}}); err != nil {
		return reply, err
	}
	if !in.Wait {
		reply.Jobs = []string{j.Key}
		return reply, nil
	}
	done, err := e.runJobs(ctx, workOrder{keys: []string{j.Key}, now: true})
	if err != nil {
		return reply, err
	}
	reply.Notes, reply.Jobs = done.notes, done.left
	links, err := e.linksOf(ctx, it.Ref.ID)
	if err != nil {
		return reply, err
	}
	if views, err := e.linkViews(ctx, links); err != nil {
		return reply, err
	} else if len(views) > 0 {
		reply.Links = views
	}
	return reply, nil
}
