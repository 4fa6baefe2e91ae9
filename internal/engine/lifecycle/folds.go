package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// foldsOnto reports whether words of an origin that say the same as a memory make no second one: it is
// current and not tainted, and of the same principal and origin.
func (e *Lifecycle) foldsOnto(ctx context.Context, it *store.Item, origin memory.Origin) (bool, error) {
	if !it.State.Live() {
		return false, nil
	}
	voice, err := e.voices(ctx)
	if err != nil || !voice(it.Record).Mine {
		return false, err
	}
	if said, err := e.originOf(ctx, it.Record); said != origin || err != nil {
		return false, err
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), []*store.Item{it}, false)
	v := trusted[it.Ref.ID]
	return v != nil && !v.Tainted, err
}

// originOf returns the channel through which the words of a memory came: of the raws
// that it cites, else its own.
func (e *Lifecycle) originOf(ctx context.Context, r *memory.Record) (memory.Origin, error) {
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind != memory.KindRaw {
			continue
		}
		it, err := e.One(ctx, ref.ID)
		if err != nil || it == nil {
			return "", err
		}
		return it.Record.Header.Origin, nil
	}
	return r.Header.Origin, nil
}
