package stemma

import (
	"context"

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
	return reply, sorted(err)
}
