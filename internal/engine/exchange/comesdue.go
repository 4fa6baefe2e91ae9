package exchange

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostAwaited is how many records about which a claim is dated ahead are looked at.
const mostAwaited = 500

// CarryOutDue erases what a purge by a clock that is fast says, if its time has come. A store to which
// nothing comes would keep those words until something does. Where nothing is due it reads one row and
// writes nothing.
func CarryOutDue(ctx context.Context, e *Exchange) error {
	if e.C.ReadOnly || e.C.Foreign {
		return nil
	}
	s := e.First()
	for last := none; ; {
		next, err := store.AwaitedOf(ctx, s, 1)
		if err != nil || len(next) == 0 || next[0].ID == last || next[0].Due.Time().After(e.C.Now()) {
			return core.Classify(err)
		}
		last = next[0].ID // what is still due after its turn is looked at by the next one
		if _, err := s.Append(ctx, store.Batch{Obey: true}); err != nil {
			return core.Classify(err)
		}
	}
}

// none is no record.
var none memory.ID

// stillToCome returns the purges in some spaces that this store holds and has not carried out, because they
// are dated ahead; all is false where there are more than can be named.
func (e *Exchange) stillToCome(ctx context.Context) (marks []*memory.Record, all bool, err error) {
	awaited, err := store.AwaitedOf(ctx, e.First(), mostAwaited)
	if err != nil || len(awaited) == 0 {
		return nil, true, core.Classify(err)
	}
	var ids []memory.ID
	for _, a := range awaited {
		ids = append(ids, a.ID)
	}
	edges, err := e.First().Edges(ctx, graph.Forward, ids...)
	if err != nil {
		return nil, false, core.Classify(err)
	}
	ids = ids[:0]
	seen := make(map[memory.ID]bool)
	for _, edge := range edges {
		if !seen[edge.From] {
			ids = append(ids, edge.From)
		}
		seen[edge.From] = true
	}
	items, err := e.First().Get(ctx, ids...)
	if err != nil {
		return nil, false, core.Classify(err)
	}
	soon := e.C.Now().Add(trust.AheadBy)
	for _, it := range items {
		if it == nil || it.Record == nil || !it.Record.Header.At.Time().After(soon) {
			continue
		}
		if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge {
			marks = append(marks, it.Record)
		}
	}
	return marks, len(awaited) < mostAwaited, nil
}
