package gone

import (
	"context"
	"io"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Export writes what belongs to a person: what a purge would erase, and what names them and cannot be erased. Sources
// and claims that are not theirs are left out; they are somebody else's data.
func (e *Gone) Export(ctx context.Context, w io.Writer, in api.ExportRequest) (api.ExportReply, error) {
	var reply api.ExportReply
	if len(in.Refs) > 0 {
		return reply, core.Invalid("refs: give refs or a person, not both")
	}
	s, err := e.selects(ctx, in.Person, true)
	if err != nil {
		return reply, err
	}
	list, err := s.list(ctx)
	if err != nil {
		return reply, err
	}
	var ids []memory.ID
	for _, f := range s.facts {
		named := f.bars != "" && len(f.sure) > 0 && f.ref.Kind != memory.KindKey && !s.keep[f.ref.ID]
		if s.picked[f.ref.ID] || named {
			ids = append(ids, f.ref.ID)
		}
	}
	if len(ids) == 0 {
		return reply, core.NotFound("no record is about them or said by them; `entities` shows the names")
	}
	var items []*store.Item
	if err := e.read(ctx, ids, func(it *store.Item) { items = append(items, it) }); err != nil {
		return reply, err
	}
	if items, err = e.intake.WithKeys(ctx, slices.Clip(items)); err != nil {
		return reply, err
	}
	reply, err = e.intake.ExportItems(ctx, w, items, in.Proofs)
	reply.Person = list
	return reply, err
}
