package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
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

// resolved reports whether a witness was decided on already. A decision counts only for the
// person who made it, and only if it is a person's.
func (e *Lifecycle) resolved(ctx context.Context, it *store.Item, said *memory.Witness, verb string) (bool, error) {
	if err := e.OwnerOnly(verb + " what a witness said"); err != nil {
		return false, err
	}
	w, err := e.heard(ctx, it, said)
	return verb == memory.Reject && w.Rejected || verb == memory.Approve && w.Upheld, err
}

// resolution shows a witness with what was decided of it.
func (e *Lifecycle) resolution(ctx context.Context, it *store.Item, said *memory.Witness) (api.TrustWitness, error) {
	w, err := e.heard(ctx, it, said)
	if err != nil {
		return api.TrustWitness{}, err
	}
	of, err := e.Store.Get(ctx, said.Of.ID)
	if err != nil {
		return api.TrustWitness{}, core.Classify(err)
	}
	if of[0] != nil && of[0].Record != nil {
		about, err := e.views.TrustOf(e.trust.Reading(ctx), of[0])
		if err != nil {
			return api.TrustWitness{}, err
		}
		for _, shown := range about.Witnesses {
			if shown.Ref == it.Ref.String() {
				return shown, nil
			}
		}
	}
	base, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return api.TrustWitness{}, err
	}
	shown := base.Witness(w, nil)
	shown.Counts, shown.Why = false, "what it speaks of is not held here"
	return shown, nil
}

// heard reads a witness with what was decided of it.
func (e *Lifecycle) heard(ctx context.Context, it *store.Item, said *memory.Witness) (trust.Verdict, error) {
	base, err := e.trust.Reading(ctx).TrustContext()
	if err != nil {
		return trust.Verdict{}, err
	}
	further, err := e.trust.Reading(ctx).Speaking([]memory.ID{it.Ref.ID}, memory.KindMark)
	if err != nil {
		return trust.Verdict{}, err
	}
	about := ""
	if of, err := e.One(ctx, said.Of.ID); err == nil && of != nil && of.Record != nil {
		about = base.Controller(of.Record)
	}
	return base.Verdict(it.Record, said, about, further), nil
}
