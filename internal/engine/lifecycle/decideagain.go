package lifecycle

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// decideAgain makes the claims that end a difference between two decisions: what holds is approved
// where it was rejected, what does not is rejected, and the link that puts the newer one in the
// place of the older one says what was decided. Who decides may decide about all three.
func (r *resolving) decideAgain(ctx context.Context, in api.ResolveRequest) ([]*memory.Record, error) {
	if in.Dismiss {
		return nil, core.Invalid("people decided %s in two ways: keep old, new or both, or merge", r.it.Ref.Short())
	}
	for _, it := range []*store.Item{r.it, r.old, r.new} {
		if err := r.may(ctx, it); err != nil {
			return nil, err
		}
	}
	var out []*memory.Record
	add := func(c *memory.Record, err error) error {
		if err == nil {
			out = append(out, c)
		}
		return err
	}
	holds := func(it *store.Item) error {
		s := &it.State
		verb := ""
		switch {
		case s.Quarantined:
			return core.Conflict("%s is quarantined; `release %s` before you keep it", it.Ref.Short(), it.Ref.Short())
		case s.Review == state.ReviewRejected:
			verb = memory.Approve
		case s.Forgotten:
			verb = memory.Recover
		default:
			return nil
		}
		return add(r.e.Mark(it.Record.Header.Space, verb, in.Reason, it.Ref))
	}
	against := func(it *store.Item) error {
		if it.State.Review == state.ReviewRejected || !it.State.Active() {
			return nil
		}
		return add(r.e.Mark(it.Record.Header.Space, memory.Reject, in.Reason, it.Ref))
	}
	var err error
	switch in.Keep {
	case "old":
		if err = holds(r.old); err == nil {
			err = against(r.new)
		}
		if err == nil && r.link.Relation == memory.Update {
			err = add(r.instead(memory.Contradict, in.Reason))
		}
	case "new":
		if err = holds(r.new); err == nil && r.old.Ref.Kind == r.new.Ref.Kind {
			err = add(r.instead(memory.Update, in.Reason))
		} else if err == nil {
			err = against(r.old)
		}
	case "both":
		if !r.new.State.Active() {
			return nil, core.Invalid("%s was replaced by %s: keep old or new, or merge", r.new.Ref.Short(), r.old.Ref.Short())
		}
		if err = holds(r.old); err == nil {
			err = holds(r.new)
		}
		if err == nil {
			err = add(r.instead(memory.Extend, in.Reason))
		}
	default:
		err = core.Invalid("keep: must be old, new or both, got %q", shorten.To(in.Keep, 40))
	}
	return out, err
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
