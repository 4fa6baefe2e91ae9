package graph

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// A Descender gives all that rests on some records at once: ids, of
// which the first of own are those asked for and the rest follow nearest first; the
// derivations among them, as places in ids of the newer and the older, in the order
// in which Edges would give them level by level; and the derivations of the rest
// from anything else, in their order. Not ok where it cannot.
type Descender interface {
	Descendants(ctx context.Context, roots ...memory.ID) (
		ids []memory.ID, own int, arrows [][2]int32, outside []Edge, ok bool, err error)
}
