package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// appliesAtOnce reports whether a policy lets an update replace its target without a person:
// both are by agents of this owner, no person approved or disputed the older one, and nothing
// external is behind the newer one. It raises no tier and no review.
func (e *Lifecycle) appliesAtOnce(ctx context.Context, new, old *store.Item, r *evolve.Relation) (bool, error) {
	if e.C.ReviewPolicy != core.PolicyProject || r.Type != memory.Update || new.Ref.Kind != old.Ref.Kind ||
		!old.State.Yields() || !old.State.Live() || !new.State.Live() {
		return false, nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return false, err
	}
	who, err := e.Keyring(ctx)
	if err != nil {
		return false, err
	}
	for _, it := range []*store.Item{new, old} {
		v := who.Voice(it.Record)
		said, err := e.views.OriginOf(ctx, it.Record)
		if err != nil || v.Owner || v.Principal != me.Principal || said != memory.OriginAgent {
			return false, err // a person's, a stranger's, or drafted of their words
		}
	}
	trusted, err := e.trust.Rate(ctx, []*store.Item{new, old}, false)
	n, o := trusted[new.Ref.ID], trusted[old.Ref.ID]
	return n != nil && o != nil && !n.Tainted && !n.Disputed && !o.Disputed, err
}

// unapply makes the link that takes the place of one that a policy applied: both are
// current again, or the older one alone.
func (r *resolving) unapply(keep, reason string) (*memory.Record, error) {
	link := memory.Link{
		Source: r.link.Source, Target: r.link.Target, Relation: memory.Extend, Detector: "author",
		Reason: shorten.To(reason, 280),
	}
	if keep == "old" {
		link.Source, link.Target, link.Relation = r.link.Target, r.link.Source, memory.Update
	}
	return r.e.Sign(memory.Header{
		Space: r.it.Record.Header.Space, Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "resolve", Supersedes: []memory.Ref{r.it.Ref}},
	}, &link)
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
