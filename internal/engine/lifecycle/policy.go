package lifecycle

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// appliesAtOnce reports whether a policy lets an update replace its target without a person:
// both are by agents of this owner, no person approved or disputed the older one, and nothing
// external is behind the newer one, which does not say again what a person replaced. It raises
// no tier and no review.
func (e *Lifecycle) appliesAtOnce(ctx context.Context, new, old *store.Item, r *evolve.Relation) (bool, error) {
	if e.C.ReviewPolicy != core.PolicyProject || r.Type != memory.Update || r.Detector == views.SaidAgain ||
		new.Ref.Kind != old.Ref.Kind || !old.State.Yields() || !old.State.Live() || !new.State.Live() {
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

// applied finds the update that a policy applied which a ref means: the link itself, or the
// last one that ties a memory.
func (u *undoing) applied(ctx context.Context, ref string) ([]*store.Item, error) {
	it, err := u.e.Lookup(ctx, ref)
	if err != nil {
		return nil, err
	}
	links := []*store.Item{it}
	if it.Ref.Kind.IsMemory() {
		if links, err = u.e.views.Tying(ctx, it.Ref.ID); err != nil {
			return nil, err
		}
	}
	var last *store.Item
	for _, l := range links {
		if l.Record != nil && views.Applied(l) && l.State.Live() &&
			(last == nil || l.Record.Header.At.Time().After(last.Record.Header.At.Time())) {
			last = l
		}
	}
	if last == nil {
		return nil, core.Conflict("no update of %s applied by itself; `undo` without a ref takes back your last act",
			it.Ref.Short())
	}
	may, err := u.e.May(ctx, last.Record)
	if err == nil && !may {
		err = &core.Failure{Kind: api.ErrForbidden, Text: last.Ref.Short() + " is another author's; only they take it back"}
	}
	return []*store.Item{last}, err
}

// unapplied takes back an update that a policy applied: both memories are current. For an agent
// the update is a proposal again; a person has decided with it that both are kept.
func (u *undoing) unapplied(it *store.Item, b *memory.Link) error {
	link := &memory.Link{
		Source: b.Source, Target: b.Target, Relation: memory.Update, Detector: b.Detector, Reason: b.Reason,
	}
	u.reply.Act = "an update that applied by itself: " + b.Source.Short() + " was replaced by " + b.Target.Short()
	u.reply.Did = "both are current, and the update is a proposal again"
	if u.e.isPerson() {
		link.Relation, link.Detector = memory.Extend, "author"
		link.Reason = "an update that was taken back"
		u.reply.Did = "both are current"
	}
	return u.sign(it.Record, memory.Header{
		Provenance: memory.Provenance{Via: memory.ViaDirect, Supersedes: []memory.Ref{it.Ref}},
	}, link)
}

// replacedBefore says how to bring back what one of some memories replaced by a policy, ""
// where none did.
func (e *Lifecycle) replacedBefore(ctx context.Context, items []*store.Item) (string, error) {
	for _, it := range items {
		links, err := e.views.Tying(ctx, it.Ref.ID)
		if err != nil {
			return "", err
		}
		for _, l := range links {
			if b := l.Record.Body.(*memory.Link); views.Applied(l) && l.State.Live() && b.Target == it.Ref {
				return fmt.Sprintf("%s, which it replaced, stays superseded; `undo %s` brings it back", b.Source.Short(),
					l.Ref.Short()), nil
			}
		}
	}
	return "", nil
}
