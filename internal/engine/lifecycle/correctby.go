package lifecycle

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/clauses"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/memory"
)

// sayer is the detector of a link that a caller made by naming both memories.
const sayer = "caller"

// correctBy puts a memory that is there already in the place of another. Of what this voice may replace that is so at
// once; of anything else it is a proposal.
func (e *Lifecycle) correctBy(
	ctx context.Context, in api.CorrectRequest, old *store.Item, reply api.CorrectReply,
) (api.CorrectReply, error) {
	now, err := e.replacing(ctx, in.By, old)
	if err != nil {
		return reply, err
	}
	may, err := e.mayReplace(ctx, old, true)
	if err == nil && may {
		may, err = e.inItsPlace(ctx, old, now)
	}
	if err != nil {
		return reply, err
	}
	if reply.Done = doneProposed; may {
		reply.Done = doneReplaced
	}
	var link *memory.Record
	var rests []*memory.Record
	if now.Ref.Kind == old.Ref.Kind {
		if link, err = e.linkBy(ctx, old, now, in.Why, may); err != nil {
			return reply, err
		}
		if may {
			rests, err = e.restsOf(ctx, old, core.Compared(now.Record), link)
		}
	}
	if err != nil {
		return reply, err
	}
	if may && len(rests) == 0 && touch.Of(core.Compared(now.Record)).InPart(touch.Of(core.Compared(old.Record))) &&
		(now.Ref.Kind == old.Ref.Kind || len(clauses.Rest(core.Compared(old.Record), core.Compared(now.Record))) == 0) {
		return e.correctInPart(ctx, in.Why, old, now, reply)
	}
	if now.Ref.Kind != old.Ref.Kind { // a link between two kinds replaces nothing: it is said again in the kind of the old
		d := api.ReviseRequest{Ref: old.Ref.String(), From: []string{now.Ref.String()}, Clear: []string{"trigger"}}
		if d.Text, d.About = core.Compared(now.Record), now.Record.Header.About; len(d.About) == 0 {
			d.Clear = append(d.Clear, "about")
		}
		if d.Trigger = in.Why; in.Why != "" {
			d.Clear = d.Clear[1:]
		}
		if reply.WriteReply, err = e.revise(ctx, d, revising{operation: "correct", asks: true, corrects: true}); len(
			reply.Stays) > 0 {
			reply.Done = doneInPart
		}
		return reply, err
	}
	err = e.Append(ctx, store.Batch{
		Records: append([]*memory.Record{link}, rests...), Expect: []memory.ID{old.Ref.ID, now.Ref.ID},
	})
	if errors.Is(err, store.ErrConflict) {
		return reply, core.Conflict("%s or %s was changed meanwhile; look at them again", old.Ref.Short(), now.Ref.Short())
	}
	if err != nil {
		return reply, core.Classify(err)
	}
	reply.WriteReply = wrote([]*memory.Record{now.Record}, nil)
	if reply.Hint, reply.Link = "", link.Ref().String(); may {
		reply.Superseded = []string{old.Ref.String()}
	}
	if staysIn(&reply.WriteReply, rests); len(rests) > 0 {
		reply.Done = doneInPart
	}
	return reply, nil
}

// correctInPart marks a memory of which another takes the place in part: what else it says is so still.
func (e *Lifecycle) correctInPart(
	ctx context.Context, why string, old, now *store.Item, reply api.CorrectReply,
) (api.CorrectReply, error) {
	mark, err := e.Sign(memory.Header{
		Space: e.SpaceOfBoth(old.Record, now.Record), Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "correct"},
	}, &memory.Mark{Of: &old.Ref, Also: []memory.Ref{now.Ref}, Verb: core.SaidOtherwise, Value: core.InPart, Reason: why})
	if err != nil {
		return reply, err
	}
	if err := e.Append(ctx, store.Batch{
		Records: []*memory.Record{mark}, Expect: []memory.ID{old.Ref.ID, now.Ref.ID},
	}); err != nil {
		return reply, core.Classify(err)
	}
	reply.WriteReply = wrote([]*memory.Record{now.Record}, nil)
	reply.Done = doneInPart
	reply.Hint = old.Ref.Short() + " stays for what else it says: " + core.QuotedCut(core.Compared(old.Record)) +
		"; where that is no longer so either, say what is with `text`, or `is=over`"
	return reply, nil
}

// replacing resolves the memory that a correction puts in the place of another.
func (e *Lifecycle) replacing(ctx context.Context, ref string, old *store.Item) (*store.Item, error) {
	now, err := e.correctable(ctx, ref)
	switch {
	case err != nil:
		return nil, err
	case now.Ref == old.Ref:
		return nil, core.Invalid("by: %s cannot take its own place; give `text` for what is so instead", old.Ref.Short())
	case !now.State.Live():
		return nil, core.Conflict("%s is not shown any more, so it replaces nothing; `show %s` says why", now.Ref.Short(),
			now.Ref.Short())
	case !e.Compares(now.Record, old.Record):
		return nil, core.Invalid("by: %s is in another space than %s; give `text` for what is so instead", now.Ref.Short(),
			old.Ref.Short())
	}
	return now, nil
}

// inItsPlace reports whether a memory may take the place of another by the word of this voice alone: an agent puts
// nothing there that comes from outside, brings a figure from there, or is disputed.
func (e *Lifecycle) inItsPlace(ctx context.Context, old, now *store.Item) (bool, error) {
	if e.isPerson() {
		return true, nil
	}
	rd := e.trust.Reading(ctx)
	trusted, err := e.trust.Rate(rd, []*store.Item{now}, false)
	r := trusted[now.Ref.ID]
	if err != nil || r == nil || r.Tainted || r.Disputed {
		return false, err
	}
	brings, err := e.bringsFigure(rd, old, now.Record)
	if err != nil || !brings {
		return err == nil, err
	}
	return e.standing.FromOutside(rd, old)
}

// linkBy signs that one memory takes the place of another, or may.
func (e *Lifecycle) linkBy(
	ctx context.Context, old, now *store.Item, why string, applies bool,
) (*memory.Record, error) {
	h := memory.Header{
		Space: e.SpaceOfBoth(old.Record, now.Record), Confidence: memory.Certain,
		Provenance: memory.Provenance{Via: memory.ViaDirect, Context: "correct"},
	}
	if applies && !e.isPerson() {
		h.Provenance.Context = state.ByPolicy
	}
	if err := e.expose(ctx, &h, "", nil); err != nil {
		return nil, err
	}
	r, _, err := e.SignClean(h, &memory.Link{
		Source: old.Ref, Target: now.Ref, Relation: memory.Update, Reason: why, Detector: sayer,
	})
	return r, err
}
