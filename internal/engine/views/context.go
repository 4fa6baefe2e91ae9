package views

import (
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/store"
)

// beside is what no search gave: it has a standing and no score.
func Beside(it *store.Item, v *trust.Vouched) *Found {
	f := &Found{Item: it, Vouched: v}
	if v != nil {
		f.Placed = v.Tier
	}
	return f
}
