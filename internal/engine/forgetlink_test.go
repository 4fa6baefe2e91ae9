package engine

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// LinkOf stores a link between two memories in the engine's own voice.
func (e *Engine) LinkOf(ctx context.Context, older, newer, relation string) (string, error) {
	items, err := e.ResolveAll(ctx, []string{older, newer})
	if err != nil {
		return "", err
	}
	r, err := e.Sign(memory.Header{Confidence: memory.Certain, Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Link{Source: items[0].Ref, Target: items[1].Ref, Relation: relation})
	if err != nil {
		return "", err
	}
	return r.Ref().String(), e.Append(ctx, store.Batch{Records: []*memory.Record{r}})
}
