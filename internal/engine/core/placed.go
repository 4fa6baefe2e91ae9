package core

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// At makes a caller read the store as it is where they work: what a project put in the place of a memory of no project
// is replaced there, and only there.
func At(e *Core) *Core {
	e.Store = store.Plain(e.Store)
	if e.C.Place != nil && e.NoSpace {
		e.Store = store.SeenFrom(e.Store, e.replacedHere, e.Elsewhere)
	}
	return e
}

// replacedHere folds a memory of no project again, with the links of the spaces that are read in this place.
func (e *Core) replacedHere(ctx context.Context, s store.Store, it *store.Item) error {
	if it == nil || it.Record == nil || it.Doubt == store.Forged || it.State.Links == 0 || !it.Ref.Kind.IsMemory() ||
		!e.OfNoProject(it.Record.Header.Space) {
		return nil
	}
	ring, err := s.Keyring(ctx)
	if err != nil {
		return err
	}
	at := e.C.Now()
	past := &past{
		ctx: ctx, s: s, at: at, known: map[memory.ID]*store.Item{it.Ref.ID: it}, ring: ring, reads: e.inPlace,
	}
	now, err := store.Current(past, it.Record, at)
	it.State.SupersededBy = now.SupersededBy
	return err
}
