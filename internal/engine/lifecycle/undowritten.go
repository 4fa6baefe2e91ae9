package lifecycle

import (
	"context"
	"fmt"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// forget takes a memory back that was written.
func (u *undoing) forget(ctx context.Context, it *store.Item, act string) error {
	if err := u.e.standing.TakesOut(u.e.trust.Reading(ctx), it, "forget it"); err != nil {
		return err
	}
	u.reply.Act, u.reply.Did, u.reply.Of = act, it.Ref.Short()+" is forgotten", []string{it.Ref.String()}
	return u.sign(it.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
		&memory.Mark{Of: &it.Ref, Verb: memory.Forget, Reason: u.why()})
}

// written takes back words, a memory, or a revision.
func (u *undoing) written(ctx context.Context, it *store.Item) error {
	replaced := it.Record.Header.Provenance.Supersedes
	if len(replaced) == 0 {
		return u.forget(ctx, u.restored(it), "wrote "+it.Ref.Short())
	}
	if len(replaced) > 1 {
		return core.Conflict("the last act was the merge of %s into %s, which cannot be undone: revise it, and write "+
			"the others again",
			fmt.Sprint(len(replaced), " memories"), it.Ref.Short())
	}
	now := u.restored(it)
	if !now.State.Live() {
		return core.Conflict(
			"the last act was the revision %s, which is %s by now; look at it with `history %s`",
			it.Ref.Short(), core.Hidden(&now.State), it.Ref.Short(),
		)
	}
	if err := u.e.standing.TakesOut(u.e.trust.Reading(ctx), now, "replace it"); err != nil {
		return err
	}
	items, err := u.e.Store.Get(ctx, replaced[0].ID)
	if err != nil {
		return core.Classify(err)
	}
	old := items[0]
	if old == nil || old.Record == nil {
		return core.Conflict(
			"the last act was the revision %s; what it replaced is not held here, so it cannot be undone",
			it.Ref.Short(),
		)
	}
	h := old.Record.Header
	err = u.sign(now.Record, memory.Header{
		Confidence: h.Confidence, About: h.About, Tags: h.Tags, ValidFrom: h.ValidFrom, ValidUntil: h.ValidUntil,
		Trigger: h.Trigger, Ext: core.WithSaidAt(h.Ext, standing.Happened(old.Record)), // it was said then
		Provenance: memory.Provenance{
			Via: memory.ViaRevision, From: []memory.Ref{now.Ref, old.Ref}, Supersedes: []memory.Ref{now.Ref},
			Evidence: h.Provenance.Evidence,
		},
	}, old.Record.Body)
	if err != nil {
		return err
	}
	restored := u.write[len(u.write)-1]
	again := restored.Ref()
	marks, err := u.e.markedAlike(old, restored, &api.ReviseRequest{})
	if err != nil {
		return err
	}
	for _, m := range marks {
		if err := u.sign(now.Record, memory.Header{
			Provenance: memory.Provenance{Via: memory.ViaDirect},
		}, m.Body); err != nil {
			return err
		}
	}
	u.reply.Act, u.reply.Of = "revised "+old.Ref.Short(), []string{now.Ref.String(), again.String()}
	u.reply.Did = fmt.Sprintf(
		"%s says again what %s said, in the place of %s", again.Short(), old.Ref.Short(), now.Ref.Short(),
	)
	approved := old.State.Review == state.ReviewApproved
	if approved && u.e.isPerson() { // who restores what was approved approves it
		approved = false
		if err := u.sign(now.Record, memory.Header{Provenance: memory.Provenance{Via: memory.ViaDirect}},
			&memory.Mark{Of: &again, Verb: memory.Approve}); err != nil {
			return err
		}
	}
	if approved || !old.State.Verified.IsZero() {
		u.reply.Hint = "what was approved or verified before is to be so again: `approve " + again.Short() + "`"
	}
	return nil
}

// applied finds the update that a policy applied which a ref means: the link itself, or the
// last one that ties a memory.
func (u *undoing) applied(ctx context.Context, ref string) ([]*store.Item, error) {
	it, err := u.e.Lookup(ctx, ref)
	if err != nil {
		return nil, err
	}
	if marks, err := u.letGo(ctx, it); len(marks) > 0 || err != nil {
		return marks, err
	}
	links := []*store.Item{it}
	if it.Ref.Kind.IsMemory() {
		if links, err = u.e.standing.Tying(u.e.trust.Reading(ctx), it.Ref.ID); err != nil {
			return nil, err
		}
	}
	var last *store.Item
	for _, l := range links {
		if l.Record != nil && standing.Applied(l) && l.State.Live() &&
			(last == nil || l.Record.Header.At.Time().After(last.Record.Header.At.Time())) {
			last = l
		}
	}
	if last == nil {
		return nil, core.Conflict("no update of %s applied by itself, and it is no proposal that was let go; `undo` "+
			"without a ref takes back your last act",
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
