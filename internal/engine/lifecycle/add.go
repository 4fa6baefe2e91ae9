package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

// Add stores a memory of any kind but raw. Without sources it is accepted as
// direct experience: it is never refused for lacking provenance, it just ranks
// as what it is.
func (e *Lifecycle) Add(ctx context.Context, in api.AddRequest) (api.WriteReply, error) {
	p := memory.Provenance{Via: memory.ViaDirect, Context: "add"}
	if in.Told {
		p.Via = memory.ViaTold
	}
	if len(in.From) > 0 {
		sources, err := e.sources(ctx, in.From, in.Kind)
		if err != nil {
			return api.WriteReply{}, err
		}
		p.From = core.RefsOf(sources)
		if !in.Told {
			p.Via = memory.ViaInference
		}
	}
	r, err := e.derive(ctx, "", in.Draft, in.Meta, p)
	if err != nil {
		return api.WriteReply{}, err
	}
	return e.writeUnlessRejected(ctx, r, in.Meta, in.Again)
}
