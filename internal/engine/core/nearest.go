package core

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// PassageModel names the model whose vectors are those of the passages with a number, from 0 on. A record has one
// vector of a model, and a long one several passages: that of the first is the model's.
func PassageModel(model string, passage int) string {
	if passage == 0 {
		return model
	}
	return fmt.Sprintf("%s passage %d", model, passage+1)
}

// Nearest finds the records that are nearest to a vector, best first. Of a record with several passages the nearest
// counts.
func (e *Core) Nearest(ctx context.Context, n store.Near) ([]store.Hit, error) {
	model := n.Model
	var all []store.Hit
	at := make(map[memory.ID]int)
	for passage := 0; ; passage++ { // what has a passage has those before it
		n.Model = PassageModel(model, passage)
		hits, err := e.Store.Nearest(ctx, n)
		if err != nil || len(hits) == 0 {
			slices.SortStableFunc(all, func(a, b store.Hit) int {
				return rank.Compare(rank.Ranked{Score: a.Score, ID: a.ID}, rank.Ranked{Score: b.Score, ID: b.ID})
			})
			return all[:min(len(all), n.Limit)], err
		}
		for _, h := range hits {
			h.Passage = passage
			if i, is := at[h.ID]; !is {
				at[h.ID] = len(all)
				all = append(all, h)
			} else if h.Score > all[i].Score {
				all[i].Score, all[i].Passage = h.Score, passage
			}
		}
	}
}
