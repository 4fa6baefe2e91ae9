package sqlstore

import (
	"fmt"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// appending is one transaction of Append.
type appending struct {
	*rows
	batch    store.Batch
	guests   []string // spaces that are at home in another shard
	fresh    []*memory.Record
	awaited  map[memory.ID]bool
	gone     map[memory.ID]bool // fresh ones whose rows are piled up
	toIndex  []indexing         // spaces in which enough waits to be indexed
	purged   []*memory.Record   // as they were
	refolded []memory.ID        // held, and purged by their states
	added    []*memory.Record   // of the fresh ones, those that can change a state
}

// findFresh gathers the records that are new, each once.
func (a *appending) findFresh() error {
	var ids []memory.ID
	for _, r := range a.batch.Records {
		ids = append(ids, r.ID)
		for _, e := range graph.Edges(r) {
			ids = append(ids, e.To)
		}
	}
	if err := a.find(ids); err != nil {
		return err
	}
	seen := make(map[memory.ID]bool, len(a.batch.Records))
	a.fresh = make([]*memory.Record, 0, len(a.batch.Records))
	for _, r := range a.batch.Records {
		if a.keys[r.ID] == 0 && !seen[r.ID] {
			seen[r.ID] = true
			a.fresh = append(a.fresh, r)
		}
	}
	return nil
}

// kindOf returns the kind of a held record's key.
func (a *appending) kindOf(id memory.ID) (memory.Kind, error) {
	if r := a.records[id]; r != nil {
		return r.Header.Kind, nil
	}
	no, found := a.kinds[id]
	if !found {
		return "", fmt.Errorf("%s: %w: its kind is not there", id.Short(), store.ErrDamaged)
	}
	return a.s.names.Kind(a.ctx, a.on, no)
}

// indexing is a space whose records after one place and up to another are to be
// indexed; the last of them are new.
type indexing struct {
	space       int
	after, upTo int64
	fresh       []*memory.Record
}
