package stemma

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// StatsRequest asks for nothing in particular.
type StatsRequest struct{}

// StatsReply is what is in the store, all spaces together.
type StatsReply struct {
	Records  int         `json:"records"`
	Memories []KindCount `json:"memories"`
	Claims   []KindCount `json:"claims"`
	Edges    int         `json:"edges"`
	Missing  int         `json:"missing"` // arrows to records not held here
	Purged   int         `json:"purged"`
	Raws     Processed   `json:"raws"`
	Spaces   []Shelf     `json:"spaces"`
	Bytes    int64       `json:"bytes"`

	Links map[string]int   `json:"links,omitempty"` // by relation, those that were found wrong or decided left out
	Jobs  JobCount         `json:"jobs"`
	Model map[string]int64 `json:"model,omitempty"` // calls, tokens and failures of the last seven days
}

// JobCount is how much was left for later.
type JobCount struct {
	Open   int `json:"open"`
	Done   int `json:"done"`
	GaveUp int `json:"gave_up"`
}

// KindCount is how many records there are of a kind.
type KindCount struct {
	Kind  string `json:"kind"`
	Total int    `json:"total"`
	Live  int    `json:"live"`
}

// Processed says of how many raws something was made.
type Processed struct {
	Processed   int `json:"processed"`
	Unprocessed int `json:"unprocessed"`
}

// Shelf is one space of the store.
type Shelf struct {
	Space   string `json:"space"`
	Records int64  `json:"records"`
}

// Stats counts what is there.
func (e *Engine) Stats(ctx context.Context, _ StatsRequest) (StatsReply, error) {
	s, err := e.store.Stats(ctx)
	if err != nil {
		return StatsReply{}, sorted(err)
	}
	reply := StatsReply{
		Records: s.Records, Edges: s.Edges, Missing: s.Dangling, Purged: s.Purged, Bytes: s.Bytes,
		Memories: []KindCount{}, Claims: []KindCount{}, Spaces: []Shelf{},
	}
	for _, k := range memory.Memories() {
		if s.ByKind[k] > 0 {
			reply.Memories = append(reply.Memories, KindCount{string(k), s.ByKind[k], s.Live[k]})
		}
	}
	for _, k := range memory.Claims() {
		if s.ByKind[k] > 0 {
			reply.Claims = append(reply.Claims, KindCount{string(k), s.ByKind[k], s.ByKind[k]})
		}
	}
	reply.Raws = Processed{s.Processed, s.ByKind[memory.KindRaw] - s.Processed}
	spaces, err := e.store.Spaces(ctx)
	for _, sp := range spaces {
		reply.Spaces = append(reply.Spaces, Shelf{sp.Name, int64(sp.Last)})
	}
	if err != nil {
		return reply, sorted(err)
	}
	return reply, e.mindStats(ctx, &reply)
}

// mindStats counts links, jobs and what was asked of a model.
func (e *Engine) mindStats(ctx context.Context, reply *StatsReply) error {
	for it, err := range e.store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindLink}}) {
		if err != nil {
			return sorted(err)
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
	reply.Model, err = e.store.Counts(ctx, e.c.Now().UTC().Add(-week).Format(time.DateOnly))
	return sorted(err)
}

// JobCounts counts what was left for later.
func (e *Engine) JobCounts(ctx context.Context) (JobCount, error) {
	var n JobCount
	jobs, err := e.store.Jobs(ctx, store.JobQuery{})
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
	return n, sorted(err)
}
