package lifecycle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// twinsOf returns the other current memories that state what one states and have a source in common with it, or one of
// which is made of the other: a belief and a note of the same words. What is no longer so of one is so of none.
func (e *Lifecycle) twinsOf(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	stated := views.Stated(it.Record)
	if stated == "" {
		return nil, nil
	}
	sources := it.Record.Header.Provenance.Sources()
	found, err := e.Store.Get(ctx, sources...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, id := range append(slices.Clip(sources), it.Ref.ID) {
		made, err := e.DerivedFrom(ctx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, made...)
	}
	var out []*store.Item
	for _, o := range core.Present(found) {
		same := func(x *store.Item) bool { return x.Ref == o.Ref }
		if o.Record != nil && o.Ref != it.Ref && o.Ref.Kind != memory.KindRaw && o.Ref.Kind.IsMemory() && o.State.Live() &&
			views.Stated(o.Record) == stated && !slices.ContainsFunc(out, same) {
			out = append(out, o)
		}
	}
	return out, nil
}

// withTwins makes a correction and ends the twins of what it took out of what is current: those about which this voice
// may decide. The others are named.
func (e *Lifecycle) withTwins(
	ctx context.Context, old *store.Item, by memory.ID, correct func() (api.CorrectReply, error),
) (api.CorrectReply, error) {
	twins, err := e.twinsOf(ctx, old)
	if err != nil {
		return api.CorrectReply{}, err
	}
	reply, err := correct()
	if err != nil || !slices.Contains([]string{doneReplaced, doneEnded, doneForgotten, doneRejected}, reply.Done) {
		return reply, err
	}
	var marks []*memory.Record
	for _, it := range twins {
		if it.Ref.ID == by {
			continue // it is what is so instead
		}
		may, err := e.mayReplace(ctx, it, true)
		if err != nil {
			return reply, err
		}
		if !may {
			if reply.Hint != "" {
				reply.Hint += "; "
			}
			reply.Hint += it.Ref.Short() + " says the same, and is a person's to decide about"
			continue
		}
		mark, err := e.Mark(it.Record.Header.Space, memory.Forget, "it said what "+old.Ref.Short()+" said, which was "+
			reply.Done, it.Ref)
		if err != nil {
			return reply, err
		}
		marks = append(marks, mark)
		reply.Superseded = append(reply.Superseded, it.Ref.String())
	}
	if len(marks) > 0 {
		err = e.Append(ctx, store.Batch{Records: marks})
	}
	return reply, core.Classify(err)
}
