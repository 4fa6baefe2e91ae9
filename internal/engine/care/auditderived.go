package care

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// hidingPage is how many records are compared at a time.
const hidingPage = 500

// auditDerived looks whether the tables that were derived of the records hide anything:
// the arrow of a claim that is not there, a memory that is said to be hidden and is not.
func (e *Care) auditDerived(ctx context.Context) ([]report.LogFinding, error) {
	h := hiding{e: e, kept: core.Inside(e.First())}
	kinds := slices.DeleteFunc(
		append(memory.Memories(), memory.Claims()...), func(k memory.Kind) bool { return k == memory.KindRaw },
	)
	err := h.pages(ctx, store.Query{Kinds: kinds, Hidden: true}, h.arrows)
	if err == nil {
		err = h.rows(ctx)
	}
	var out []report.LogFinding
	add := func(n int, what, does string) {
		if n > 0 {
			why := fmt.Sprintf("%s %s: `doctor` names them", core.Plural(n, what), does)
			out = append(out, report.LogFinding{Status: report.TablesDiffer, Why: why})
		}
	}
	add(h.missing, "claim", "missing from the tables that readings search")
	add(h.hidden, "record", "hidden by a table, but by no record")
	return out, core.Classify(err)
}

// hiding counts what the tables hide.
type hiding struct {
	e       *Care
	kept    store.Store // without the door before it
	missing int
	hidden  int
}

func (h *hiding) pages(
	ctx context.Context, q store.Query, each func(context.Context, []*store.Item) error,
) error {
	var page []*store.Item
	for it, err := range h.kept.List(ctx, q) {
		if err != nil {
			return err
		}
		if it.Record == nil {
			continue
		}
		if page = append(page, it); len(page) == hidingPage {
			if err := each(ctx, page); err != nil {
				return err
			}
			page = page[:0]
		}
	}
	if len(page) == 0 {
		return nil
	}
	return each(ctx, page)
}

// arrows compares the arrows of claims and revisions with those that the records draw.
func (h *hiding) arrows(ctx context.Context, page []*store.Item) error {
	ids := make([]memory.ID, len(page))
	for i, it := range page {
		ids[i] = it.Ref.ID
	}
	edges, err := h.kept.Edges(ctx, graph.Back, ids...)
	if err != nil {
		return err
	}
	kept := make(map[graph.Edge]bool, len(edges))
	for _, e := range edges {
		kept[e] = true
	}
	type arrow struct {
		graph.Edge
		by *memory.Record
	}
	var lost []arrow
	var targets []memory.ID
	for _, it := range page {
		for _, e := range graph.Edges(it.Record) {
			if e.Rel != graph.DerivedFrom && e.Rel != graph.Recalled && e.Rel != graph.Because && !kept[e] {
				lost = append(lost, arrow{e, it.Record})
				targets = append(targets, e.To)
			}
		}
	}
	if len(lost) == 0 {
		return nil
	}
	held, err := h.kept.Get(ctx, targets...)
	if err != nil {
		return err
	}
	for i, it := range held {
		if it != nil && store.Draws(lost[i].by, lost[i].Edge, it.Ref.Kind) { // a record that is not held has none yet
			h.missing++
		}
	}
	return nil
}

// rows asks of what a table hides whether anybody said so.
func (h *hiding) rows(ctx context.Context) error {
	hidden, err := store.HiddenOf(ctx, h.kept)
	if err != nil {
		return err
	}
	hidden = slices.DeleteFunc(hidden, func(one store.Hidden) bool { return one.Due }) // it is on lists
	for part := range slices.Chunk(hidden, hidingPage) {
		ids := make([]memory.ID, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		given, err := h.e.First().Get(ctx, ids...)
		if err != nil {
			return err
		}
		for _, it := range given {
			if it != nil && it.Record != nil && it.Doubt == "" && it.State.Live() {
				h.hidden++
			}
		}
	}
	return nil
}
