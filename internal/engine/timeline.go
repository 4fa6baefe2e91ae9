package engine

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostTimed is how many entries one page of a timeline has at most.
const mostTimed = 500

// Timeline lists what was recorded up to a time, hidden memories too, each as it
// stood then and with what is different now.
func (e *Engine) Timeline(ctx context.Context, in api.TimelineRequest) (api.TimelineReply, error) {
	reply := api.TimelineReply{Entries: []api.TimelineEntry{}}
	limit := in.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	if limit < 1 || limit > mostTimed {
		return reply, invalid("limit: must be from 1 to %d, got %d", mostTimed, in.Limit)
	}
	kinds, err := listKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	var asOf, before time.Time
	if in.AsOf != "" {
		if asOf, err = e.ago("as_of", in.AsOf); err != nil {
			return reply, err
		}
		reply.AsOf, before = memory.At(asOf).String(), asOf
	}
	if in.Before != "" {
		if before, err = e.ago("before", in.Before); err != nil {
			return reply, err
		}
	}
	spaces, err := e.shelves(ctx)
	if err != nil || len(spaces) == 0 {
		return reply, sorted(err)
	}
	var items []*store.Item
	for it, err := range e.store.List(ctx, store.Query{Kinds: kinds, Spaces: spaces, Hidden: true}) {
		if err != nil {
			return reply, sorted(err)
		}
		if it.Record == nil || !before.IsZero() && it.Record.Header.At.After(before) ||
			!asOf.IsZero() && it.Record.Header.At.After(asOf) {
			continue
		}
		if len(items) == limit {
			reply.More = true
			break
		}
		items = append(items, it)
	}
	trusted, err := e.vouch(ctx, items, false)
	if err != nil {
		return reply, err
	}
	e.noteShown("timeline", items, trusted)
	for _, it := range items {
		entry := api.TimelineEntry{PictureNode: pictureNode(it, it.Ref)}
		if !asOf.IsZero() {
			then, err := e.asOf(ctx, it, asOf)
			if err != nil {
				return reply, sorted(err)
			}
			if then != nil {
				if _, err := e.vouchAt(ctx, []*store.Item{then}, asOf, false); err != nil {
					return reply, err
				}
				timelineEntryThen(&entry, pictureNode(then, it.Ref))
			}
		}
		if v := trusted[it.Ref.ID]; v != nil {
			pictureNodeVouch(&entry.PictureNode, v)
		}
		reply.Entries = append(reply.Entries, entry)
	}
	return reply, nil
}

// then shows what an entry was, and keeps what it is now where that differs.
func timelineEntryThen(t *api.TimelineEntry, was api.PictureNode) {
	now := t.PictureNode
	t.PictureNode = was
	if now.Tier != was.Tier {
		t.TierNow = now.Tier
	}
	if now.Hidden != was.Hidden {
		t.HiddenNow = or(now.Hidden, "shown")
	}
	if now.Confidence != nil && was.Confidence != nil && *now.Confidence != *was.Confidence {
		t.ConfidenceNow = now.Confidence
	}
}
