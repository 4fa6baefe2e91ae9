package mind

import (
	"context"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// TimelineRequest asks what was recorded, as it was known at a time.
type TimelineRequest struct {
	AsOf   string `json:"as_of,omitempty" jsonschema:"a time, or how long ago such as 48h; empty is now"`
	Before string `json:"before,omitempty" jsonschema:"go on with what was recorded at this time or earlier"`
	Kind   string `json:"kind,omitempty" jsonschema:"one kind; empty is all but raw"`
	About  string `json:"about,omitempty" jsonschema:"only what speaks of this name; empty is everything"`
	Limit  int    `json:"limit,omitempty" jsonschema:"0 is 50, at most 500"`
}

// TimelineReply is memories by the time at which they were recorded, the newest
// first.
type TimelineReply struct {
	AsOf    string          `json:"as_of,omitempty"`
	Entries []TimelineEntry `json:"entries"`
	More    bool            `json:"more,omitempty"`
}

// A TimelineEntry is a memory as it was known then. Trust is always as it is now:
// a key that was stolen since was stolen.
type TimelineEntry struct {
	PictureNode
	Text     string `json:"text,omitempty"`     // all that it says, where the words are not all
	Happened string `json:"happened,omitempty"` // when it was said or happened, where that is another time
	By       string `json:"by,omitempty"`       // who wrote it, where another person did
	// What is otherwise by now; absent is what is as it was.
	TierNow       string   `json:"tier_now,omitempty"`
	ConfidenceNow *float64 `json:"confidence_now,omitempty"`
	HiddenNow     string   `json:"hidden_now,omitempty"`
}

// mostTimed is how many entries one page of a timeline has at most.
const mostTimed = 500

// Timeline lists the records up to a time, hidden memories too, each in its state at that time
// and with the differences to now.
func (e *Mind) Timeline(ctx context.Context, in TimelineRequest) (TimelineReply, error) {
	reply := TimelineReply{Entries: []TimelineEntry{}}
	limit := in.Limit
	if limit == 0 {
		limit = views.DefaultLimit
	}
	if limit < 1 || limit > mostTimed {
		return reply, core.Invalid("limit: must be from 1 to %d, got %d", mostTimed, in.Limit)
	}
	kinds, err := views.ListKinds(in.Kind)
	if err != nil {
		return reply, err
	}
	var asOf, before time.Time
	if in.AsOf != "" {
		if asOf, err = e.Ago("as_of", in.AsOf); err != nil {
			return reply, err
		}
		reply.AsOf, before = memory.At(asOf).String(), asOf
	}
	if in.Before != "" {
		if before, err = e.Ago("before", in.Before); err != nil {
			return reply, err
		}
	}
	var items []*store.Item
	q := store.Query{Kinds: kinds, Hidden: true, Has: standing.AboutName(in.About)}
	reply.More, err = e.standing.Gather(e.trust.Reading(ctx), q, 0, func(it *store.Item) (bool, error) {
		at := it.Record.Header.At.Time()
		if !before.IsZero() && at.After(before) || !asOf.IsZero() && at.After(asOf) || !isAbout(it.Record, in.About) {
			return true, nil
		}
		if len(items) == limit {
			return false, nil
		}
		items = append(items, it)
		return true, nil
	})
	if err != nil {
		return reply, err
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), items, false)
	if err != nil {
		return reply, err
	}
	e.receipts.NoteShown("timeline", items, trusted)
	marks, err := e.views.MarksOf(e.trust.Reading(ctx), items, trusted, memory.Time{})
	if err != nil {
		return reply, err
	}
	for i, it := range items {
		entry := TimelineEntry{PictureNode: pictureNode(it, it.Ref)}
		entry.Marks = marks[i]
		if !asOf.IsZero() {
			then, err := e.AsOf(ctx, it, asOf)
			if err != nil {
				return reply, core.Classify(err)
			}
			if then != nil {
				rated, err := e.trust.RateAt(e.trust.Reading(ctx), []*store.Item{then}, asOf, false)
				if err != nil {
					return reply, err
				}
				was := pictureNode(then, it.Ref)
				if was.Marks, err = e.views.MarkedThen(e.trust.Reading(ctx), then, rated[it.Ref.ID], memory.At(asOf)); err != nil {
					return reply, err
				}
				timelineEntryThen(&entry, was)
			}
		}
		if v := trusted[it.Ref.ID]; v != nil {
			showNodeRating(&entry.PictureNode, v)
			entry.By = v.By
		}
		if it.Record != nil {
			entry.Text = standing.Beyond(it.Record)
			if at := standing.At(it.Record); at != entry.At {
				entry.Happened = at
			}
		}
		reply.Entries = append(reply.Entries, entry)
	}
	return reply, nil
}

// then shows what an entry was, and keeps what it is now where that differs.
func timelineEntryThen(t *TimelineEntry, was PictureNode) {
	now := t.PictureNode
	t.PictureNode = was
	if now.Tier != was.Tier {
		t.TierNow = now.Tier
	}
	if now.Hidden != was.Hidden {
		t.HiddenNow = core.Or(now.Hidden, "shown")
	}
	if now.Confidence != nil && was.Confidence != nil && *now.Confidence != *was.Confidence {
		t.ConfidenceNow = now.Confidence
	}
}
