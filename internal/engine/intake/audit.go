package intake

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Export writes records, one per line, with their signed bytes unchanged. Without refs it
// writes every record of the spaces in use, in the order of their logs; importing the lines
// into an empty store and exporting again gives the same bytes. With refs it writes all that a
// stranger needs to audit them: the key records, all sources, the claims about any of them
// and, with proofs, their places in the logs.
func (e *Intake) Export(ctx context.Context, w io.Writer, in api.ExportRequest) (api.ExportReply, error) {
	var reply api.ExportReply
	var err error
	var items []*store.Item
	if len(in.Refs) == 0 {
		return e.exportAll(ctx, w, in.Proofs)
	}
	if items, err = e.Closure(ctx, in.Refs); err != nil {
		return reply, err
	}
	return e.ExportItems(ctx, w, items, in.Proofs)
}

// ExportItems writes records as they are in a bundle.
func (e *Intake) ExportItems(
	ctx context.Context, w io.Writer, items []*store.Item, proofs bool,
) (api.ExportReply, error) {
	var reply api.ExportReply
	o := e.receipts.Outside(e.trust.Reading(ctx))
	for _, it := range items {
		if err := exportItem(it, w, &reply); err != nil {
			return reply, err
		}
		o.Take(it)
	}
	o.Note(e.trust.Reading(ctx), "export")
	if !proofs {
		return reply, nil
	}
	return reply, e.exportProofs(ctx, w, items)
}

// Closure returns records with their sources, the claims about any of them and all keys, in
// the order of their logs.
func (e *Intake) Closure(ctx context.Context, refs []string) ([]*store.Item, error) {
	roots, err := e.ResolveAll(ctx, refs)
	if err != nil {
		return nil, err
	}
	return e.closure(ctx, roots, true)
}

// WithKeys returns records with all keys, in the order of their logs, so that a stranger can audit them.
func (e *Intake) WithKeys(ctx context.Context, items []*store.Item) ([]*store.Item, error) {
	return e.closure(ctx, items, false)
}

// closure adds all keys to records, and with further their sources and the claims about any of them.
func (e *Intake) closure(ctx context.Context, roots []*store.Item, further bool) ([]*store.Item, error) {
	found := make(map[memory.ID]*store.Item)
	var out []*store.Item
	add := func(it *store.Item) bool {
		if it == nil || found[it.Ref.ID] != nil {
			return false
		}
		found[it.Ref.ID] = it
		out = append(out, it)
		return true
	}
	for it, err := range e.Store.List(ctx, store.Query{Kinds: []memory.Kind{memory.KindKey}, Hidden: true, Oldest: true}) {
		if err != nil {
			return nil, core.Classify(err)
		}
		add(it)
	}
	level := roots
	for len(level) > 0 {
		var ids, next []memory.ID
		for _, it := range level {
			if !add(it) {
				continue
			}
			if !further {
				continue
			}
			ids = append(ids, it.Ref.ID)
			if it.Record != nil {
				for _, ref := range it.Record.Cites() {
					next = append(next, ref.ID)
				}
			}
		}
		if len(ids) == 0 {
			break
		}
		edges, err := e.Store.Edges(ctx, graph.Forward, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, edge := range edges {
			if edge.Rel == graph.Speaks {
				next = append(next, edge.From)
			}
		}
		if level, err = e.Store.Get(ctx, next...); err != nil {
			return nil, core.Classify(err)
		}
	}
	spaces, err := e.Store.Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	place := make(map[string]int)
	for i, s := range spaces {
		place[s.Name] = i + 1
	}
	at := make(map[memory.ID]int)
	for _, it := range out {
		space, err := e.spaceOf(ctx, it)
		if err != nil {
			return nil, err
		}
		at[it.Ref.ID] = place[space]
	}
	slices.SortStableFunc(out, func(a, b *store.Item) int {
		if d := at[a.Ref.ID] - at[b.Ref.ID]; d != 0 {
			return d
		}
		return int(a.Seq - b.Seq)
	})
	return out, nil
}

// exportProofs writes the places of records in their logs, and the checkpoints of the logs.
func (e *Intake) exportProofs(ctx context.Context, w io.Writer, items []*store.Item) error {
	trees := make(map[string]*ledger.Tree)
	order := []string{}
	for _, it := range items {
		space, err := e.spaceOf(ctx, it)
		if err != nil {
			return err
		}
		if own, err := e.OwnLog(ctx, space); err != nil {
			return err
		} else if !own {
			continue // others' checkpoints prove the places of their records
		}
		t := trees[space]
		if t == nil {
			f, err := e.Store.Tree(ctx, space)
			if err != nil {
				return core.Classify(err)
			}
			if t, err = e.hashTree(ctx, space, f.Size()); err != nil {
				return err
			}
			trees[space] = t
			order = append(order, space)
		}
		p, err := t.Inclusion(int64(it.Seq)-1, t.Size())
		if err != nil {
			return fmt.Errorf("prove %s: %w", it.Ref.Short(), err)
		}
		raw, err := core.MarshalLine(core.Line{Inclusion: &core.InclusionLine{
			Ref: it.Ref, Space: space, Index: int64(it.Seq) - 1, Size: t.Size(), Hashes: p.Strings(),
		}})
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return e.exportCheckpoints(ctx, w, order)
}

// exportCheckpoints writes what the logs of some spaces are.
func (e *Intake) exportCheckpoints(ctx context.Context, w io.Writer, spaces []string) error {
	for _, space := range spaces {
		if own, err := e.OwnLog(ctx, space); err != nil {
			return err
		} else if !own {
			continue
		}
		_, note, err := e.checkpoint(ctx, space)
		if err != nil {
			return err
		}
		raw, err := core.MarshalLine(core.Line{Checkpoint: &core.CheckpointLine{Note: string(note), Space: space}})
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
	}
	return nil
}
