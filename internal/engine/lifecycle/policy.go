package lifecycle

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// appliesAtOnce reports whether a policy lets an update replace its target without a person:
// both are by agents of this owner, no person approved or disputed the older one, and nothing
// external is behind the newer one, which does not say again what a person replaced. It raises
// no tier and no review.
func (e *Lifecycle) appliesAtOnce(ctx context.Context, new, old *store.Item, r *evolve.Relation) (bool, error) {
	if e.C.ReviewPolicy != core.PolicyProject || r.Type != memory.Update || r.Detector == standing.SaidAgain ||
		new.Ref.Kind != old.Ref.Kind || !old.State.Yields() || !old.State.Live() || !new.State.Live() {
		return false, nil
	}
	voice, err := e.voices(ctx)
	if err != nil {
		return false, err
	}
	for _, it := range []*store.Item{new, old} {
		v := voice(it.Record)
		said, err := e.standing.OriginOf(e.trust.Reading(ctx), it.Record)
		if err != nil || v.Owner || !v.Mine || said != memory.OriginAgent {
			return false, err // a person's, a stranger's, or drafted of their words
		}
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), []*store.Item{new, old}, false)
	n, o := trusted[new.Ref.ID], trusted[old.Ref.ID]
	if err != nil || n == nil || o == nil || n.Tainted || n.Disputed || o.Disputed {
		return false, err
	}
	brings, err := e.bringsFigure(e.trust.Reading(ctx), old, new.Record)
	return err == nil && !brings, err
}

// replacedBefore says how to bring back what one of some memories replaced by a policy, ""
// where none did.
func (e *Lifecycle) replacedBefore(ctx context.Context, items []*store.Item) (string, error) {
	for _, it := range items {
		links, err := e.standing.Tying(e.trust.Reading(ctx), it.Ref.ID)
		if err != nil {
			return "", err
		}
		for _, l := range links {
			if b := l.Record.Body.(*memory.Link); standing.Applied(l) && l.State.Live() && b.Target == it.Ref {
				return fmt.Sprintf("%s, which it replaced, stays superseded; `undo %s` brings it back", b.Source.Short(),
					l.Ref.Short()), nil
			}
		}
	}
	return "", nil
}
