//go:build !race

package engine_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A child made ten thousand records ago is found, and so is the chain to it.
func TestFromRawFindsAnOldChild(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "the first words")
		child := promote(t, e, "the first child", raw)
		if _, err := e.Ingest(t.Context(), foreigners(10_000/fewer), nil); err != nil {
			t.Fatal(err)
		}
		belief := consolidate(t, e, "a late conclusion", child)
		r, err := e.FromRaw(t.Context(), api.RefRequest{Ref: raw})
		if err != nil || len(r.Related) != 2 || r.Related[0].Type+":"+r.Related[0].ID != child ||
			r.Related[1].Type+":"+r.Related[1].ID != belief {
			t.Errorf("from the raw came %+v, %v, want %s and %s", r.Related, err, child, belief)
		}
	})
}
