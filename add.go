package stemma

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// AddRequest is a memory written down directly.
type AddRequest struct {
	From []string `json:"from,omitempty" jsonschema:"refs of memories it was inferred from"`
	Told bool     `json:"told,omitempty" jsonschema:"somebody said so, rather than experience"`
	// Again is for a person who says what was rejected.
	Again bool `json:"again,omitempty" jsonschema:"although a person rejected the same; only a person may"`
	Draft
	Meta
}

// Add stores a memory of any kind but raw. Without sources it is accepted as
// direct experience: it is never refused for lacking provenance, it just ranks
// as what it is.
func (e *Engine) Add(ctx context.Context, in AddRequest) (WriteReply, error) {
	p := memory.Provenance{Via: memory.ViaDirect, Context: "add"}
	if in.Told {
		p.Via = memory.ViaTold
	}
	if len(in.From) > 0 {
		sources, err := e.sources(ctx, in.From, in.Kind)
		if err != nil {
			return WriteReply{}, err
		}
		p.From = refsOf(sources)
		if !in.Told {
			p.Via = memory.ViaInference
		}
	}
	r, err := e.derive(ctx, "", in.Draft, in.Meta, p)
	if err != nil {
		return WriteReply{}, err
	}
	return e.writeUnlessRejected(ctx, r, in.Meta, in.Again)
}
