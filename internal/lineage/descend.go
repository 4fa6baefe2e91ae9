package lineage

import (
	"cmp"
	"context"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// descend is Radius by a Graph that can do it at once.
func (b *Blast) descend(ctx context.Context, g graph.Descender, roots []memory.ID) (done bool, err error) {
	ids, own, arrows, outside, ok, err := g.Descendants(ctx, roots...)
	if err != nil || !ok {
		return false, err
	}
	b.Order = ids[own:]
	reached := make([]bool, len(ids))
	for _, a := range arrows {
		if newer, older := int(a[0]), a[1]; newer >= own && !reached[newer] {
			reached[newer] = true
			b.Parent[ids[newer]] = ids[older]
		}
	}
	if len(outside) > 0 {
		sorting.By(arrows, func(x, y [2]int32) int { return cmp.Compare(x[0], y[0]) })
		b.spread(ids, own, arrows, outside)
	}
	return true, nil
}

// spread finds the survivors from what stands on something outside.
func (b *Blast) spread(ids []memory.ID, own int, arrows [][2]int32, outside []graph.Edge) {
	derived := make(map[memory.ID][]memory.ID)
	for _, a := range arrows {
		if int(a[0]) >= own {
			derived[ids[a[1]]] = append(derived[ids[a[1]]], ids[a[0]])
		}
	}
	b.survive(outside, derived)
}

// survive lets those survive that stand on what is outside, and those that were
// derived from one that does.
func (b *Blast) survive(outside []graph.Edge, derived map[memory.ID][]memory.ID) {
	var sound []memory.ID
	survives := func(id, ground memory.ID) {
		b.Grounds[id] = append(b.Grounds[id], ground)
		if !b.Survives[id] {
			b.Survives[id] = true
			sound = append(sound, id)
		}
	}
	for _, e := range outside {
		survives(e.From, e.To)
	}
	for ; len(sound) > 0; sound = sound[1:] {
		for _, d := range derived[sound[0]] {
			survives(d, sound[0])
		}
	}
}
