package engine

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// witnessOf reads what a witness said; nil is no witness.
func witnessOf(it *store.Item) *memory.Witness {
	if it == nil || it.Record == nil {
		return nil
	}
	w, _ := it.Record.Body.(*memory.Witness)
	return w
}

// resolved reports whether what a decision says of a witness was decided already.
// Who looks decides for himself alone, and only as a person.
func (e *Engine) resolved(ctx context.Context, it *store.Item, said *memory.Witness, verb string) (bool, error) {
	if err := e.ownerOnly(verb + " what a witness said"); err != nil {
		return false, err
	}
	w, err := e.heard(ctx, it, said)
	return verb == memory.Reject && w.Rejected || verb == memory.Approve && w.upheld, err
}

// resolution shows a witness with what was decided of it.
func (e *Engine) resolution(ctx context.Context, it *store.Item, said *memory.Witness) (api.TrustWitness, error) {
	w, err := e.heard(ctx, it, said)
	if err != nil {
		return api.TrustWitness{}, err
	}
	of, err := e.store.Get(ctx, said.Of.ID)
	if err != nil {
		return api.TrustWitness{}, sorted(err)
	}
	if of[0] != nil && of[0].Record != nil {
		about, err := e.trustOf(ctx, of[0])
		if err != nil {
			return api.TrustWitness{}, err
		}
		for _, shown := range about.Witnesses {
			if shown.Ref == it.Ref.String() {
				return shown, nil
			}
		}
	}
	base, err := e.vouching(ctx)
	if err != nil {
		return api.TrustWitness{}, err
	}
	shown := base.witness(w, nil)
	shown.Counts, shown.Why = false, "what it speaks of is not held here"
	return shown, nil
}

// heard reads a witness with what was decided of it.
func (e *Engine) heard(ctx context.Context, it *store.Item, said *memory.Witness) (verdict, error) {
	base, err := e.vouching(ctx)
	if err != nil {
		return verdict{}, err
	}
	further, err := speaking(ctx, e.store, []memory.ID{it.Ref.ID}, memory.KindMark)
	if err != nil {
		return verdict{}, err
	}
	about := ""
	if of, err := e.one(ctx, said.Of.ID); err == nil && of != nil && of.Record != nil {
		about = base.controller(of.Record)
	}
	return base.verdict(it.Record, said, about, further), nil
}
