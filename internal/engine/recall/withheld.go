package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// hiddenOf adds to some ids those of hits that are hidden: what was found and not given belongs into the receipt.
func hiddenOf(ids []memory.ID, hits []store.Hit) []memory.ID {
	for _, h := range hits {
		if h.Hidden && h.Kind.IsMemory() && !slices.Contains(ids, h.ID) {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// overBudget is how many entries were left out for the budget.
func overBudget(n int) []api.Withheld {
	if n == 0 {
		return nil
	}
	return []api.Withheld{{Reason: pack.ForBudget, Count: n}}
}
