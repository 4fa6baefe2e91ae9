package views

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// earlier gives the wordings that a memory replaced, and those that they replaced: the
// later first. What somebody claims to have replaced, and did not, is not among them.
func (e *Views) earlier(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	var out []*store.Item
	seen := map[memory.ID]bool{it.Ref.ID: true}
	for level := []*store.Item{it}; len(level) > 0; {
		var ids []memory.ID
		by := make(map[memory.ID]memory.ID)
		for _, one := range level {
			if one.Record == nil {
				continue
			}
			for _, old := range one.Record.Header.Provenance.Supersedes {
				if !seen[old.ID] {
					seen[old.ID], by[old.ID] = true, one.Ref.ID
					ids = append(ids, old.ID)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		items, err := e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, core.Sorted(err)
		}
		level = slices.DeleteFunc(items, func(old *store.Item) bool { return old == nil || old.State.SupersededBy != by[old.Ref.ID] })
		out = append(out, level...)
	}
	return out, nil
}

// wordings gives a memory after the wordings that it replaced, the oldest first. Of a merge
// it follows the one that was revised. It ends at one that was purged.
func (e *Views) wordings(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	earlier, err := e.earlier(ctx, it)
	if err != nil {
		return nil, err
	}
	held := make(map[memory.ID]*store.Item, len(earlier))
	for _, old := range earlier {
		held[old.Ref.ID] = old
	}
	line := []*store.Item{it}
	for at := it; len(at.Record.Header.Provenance.Supersedes) > 0; line = append(line, at) {
		at = held[at.Record.Header.Provenance.Supersedes[0].ID]
		if at == nil || at.Record == nil {
			break
		}
		delete(held, at.Ref.ID)
	}
	slices.Reverse(line)
	return line, nil
}
