//go:build linux

package sqlstore

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/lineage"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// inOrder returns the half and the 95th of 100 of what was measured.
func inOrder(all []time.Duration) Took {
	slices.Sort(all)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Took{Half: ms(all[len(all)/2]), P95: ms(all[len(all)*95/100])}
}

// others measures by the clock what is neither a search nor in the model: a record by
// its id, a list of the newest, what lies behind a belief to a depth of 3, and the sizes
// of the store.
func others(t testing.TB, s *Store, owner *storetest.Author, ids []memory.ID, took map[string]Took) {
	t.Helper()
	ctx := t.Context()
	_, took["get"] = perQuestion(t, func(i int) error {
		is, err := s.Get(ctx, ids[(i+1)*7919%len(ids)])
		if err == nil && is[0] == nil {
			err = fmt.Errorf("record %d is not there", i)
		}
		return err
	})
	_, took["list 20"] = perQuestion(t, func(int) error {
		n := 0
		for _, err := range s.List(ctx, store.Query{Limit: 20}) {
			if err != nil {
				return err
			}
			n++
		}
		if n != 20 {
			return fmt.Errorf("%d are listed, want 20", n)
		}
		return nil
	})
	const behind = 50
	root := withBehind(t, s, owner, ids, behind)
	_, took["trace"] = perQuestion(t, func(int) error {
		tree, err := lineage.Walk(ctx, s, root, graph.Back, 3, 1000)
		if err == nil && len(tree.Order) != 1+2*behind {
			err = fmt.Errorf("%d records are behind the belief, want %d", len(tree.Order)-1, 2*behind)
		}
		return err
	})
	_, took["stats"] = perQuestion(t, func(int) error {
		_, err := s.Stats(ctx)
		return err
	})
}

// withBehind appends a belief of n notes, each of one record that lies far from the next.
func withBehind(t testing.TB, s *Store, owner *storetest.Author, ids []memory.ID, n int) memory.ID {
	t.Helper()
	var all []*memory.Record
	for i := range n {
		from := memory.Ref{Kind: memory.KindRaw, ID: ids[i*(len(ids)/n)]}
		all = append(all, owner.Make(t, &memory.Note{
			Type: "insight", Summary: fmt.Sprint("note ", i),
		}, func(h *memory.Header) {
			h.Provenance.Via, h.Provenance.From = memory.ViaInference, []memory.Ref{from}
		}))
	}
	belief := owner.Belief(t, "all of it together", all...)
	appendAll(t, s, append(all, belief))
	return belief.ID
}
