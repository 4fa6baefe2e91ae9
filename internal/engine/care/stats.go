package care

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Stats counts the records in the store.
func (e *Care) Stats(ctx context.Context, _ api.Nothing) (api.StatsReply, error) {
	s, err := e.Store.Stats(ctx)
	if err != nil {
		return api.StatsReply{}, core.Classify(err)
	}
	reply := api.StatsReply{
		Records: s.Records, Edges: s.Edges, Missing: s.Dangling, Purged: s.Purged, Bytes: s.Bytes,
		Memories: []api.KindCount{}, Claims: []api.KindCount{}, Spaces: []api.SpaceCount{},
		Raws: api.Processed{Processed: s.Processed, Unprocessed: s.ByKind[memory.KindRaw] - s.Processed},
	}
	for _, k := range memory.Memories() {
		if s.ByKind[k] > 0 {
			reply.Memories = append(reply.Memories, api.KindCount{Kind: string(k), Total: s.ByKind[k], Live: s.Live[k]})
		}
	}
	for _, k := range memory.Claims() {
		if s.ByKind[k] > 0 {
			reply.Claims = append(reply.Claims, api.KindCount{Kind: string(k), Total: s.ByKind[k], Live: s.ByKind[k]})
		}
	}
	spaces, err := e.Store.Spaces(ctx)
	for _, sp := range spaces {
		reply.Spaces = append(reply.Spaces, api.SpaceCount{Space: sp.Name, Records: int64(sp.Last)})
	}
	if err != nil {
		return reply, core.Classify(err)
	}
	return reply, e.mindStats(ctx, &reply)
}

// mindStats counts links, jobs and what was asked of a model.
func (e *Care) mindStats(ctx context.Context, reply *api.StatsReply) error {
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindLink}}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if l, ok := it.Record.Body.(*memory.Link); ok {
			if reply.Links == nil {
				reply.Links = make(map[string]int)
			}
			reply.Links[l.Relation]++
		}
	}
	var err error
	if reply.Jobs, err = e.JobCounts(ctx); err != nil {
		return err
	}
	const week = 7 * 24 * time.Hour
	reply.Model, err = e.Store.Counts(ctx, e.C.Now().UTC().Add(-week).Format(time.DateOnly))
	return core.Classify(err)
}

// JobCounts counts what was left for later.
func (e *Care) JobCounts(ctx context.Context) (api.JobCount, error) {
	var n api.JobCount
	jobs, err := e.Store.Jobs(ctx, store.JobQuery{})
	for i := range jobs {
		switch j := &jobs[i]; {
		case j.Open():
			n.Open++
		case j.Gave:
			n.GaveUp++
		default:
			n.Done++
		}
	}
	return n, core.Classify(err)
}
