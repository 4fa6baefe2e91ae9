package door

import (
	"context"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/memory"
)

var _ graph.Descender = (*Store)(nil)

// Descendants goes by the tables, as Edges does of derivations.
func (d *Store) Descendants(
	ctx context.Context, roots ...memory.ID,
) (ids []memory.ID, own int, arrows [][2]int32, outside []graph.Edge, ok bool, err error) {
	if quick, is := d.Store.(graph.Descender); is {
		return quick.Descendants(ctx, roots...)
	}
	return nil, 0, nil, nil, false, nil
}
