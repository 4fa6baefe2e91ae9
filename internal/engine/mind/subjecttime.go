package mind

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds of what is read for the times of events.
const (
	mostTold  = 5000 // events whose sources are looked at
	mostWords = 8    // captures behind one
)

// asTold gives each memory that has no time of its own that of the last words behind it: what was drawn today from a
// conversation of last year is about last year. A memory is never later than it was written.
func (e *Mind) asTold(ctx context.Context, events []happening) error {
	events = events[:min(len(events), mostTold)]
	said := make(map[memory.ID]time.Time) // by capture
	for _, h := range events {
		for _, id := range toldBy(h.it.Record) {
			said[id] = time.Time{}
		}
	}
	ids := make([]memory.ID, 0, len(said))
	for id := range said {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, memory.ID.Compare)
	for part := range slices.Chunk(ids, 500) {
		items, err := e.Store.Get(ctx, part...)
		if err != nil {
			return err
		}
		for _, it := range items {
			if it != nil && it.Record != nil {
				said[it.Ref.ID] = standing.Happened(it.Record)
			}
		}
	}
	for i := range events {
		var last time.Time
		for _, id := range toldBy(events[i].it.Record) {
			if said[id].After(last) {
				last = said[id]
			}
		}
		if !last.IsZero() && last.Before(events[i].at) {
			events[i].at = last
		}
	}
	return nil
}

// toldBy returns the captures from which a memory without a time of its own was made.
func toldBy(r *memory.Record) []memory.ID {
	if r.Header.Kind == memory.KindRaw || !r.Header.ValidFrom.IsZero() {
		return nil
	}
	var ids []memory.ID
	for _, ref := range r.Header.Provenance.From {
		if ref.Kind == memory.KindRaw {
			ids = append(ids, ref.ID)
		}
	}
	if len(ids) > mostWords {
		ids = ids[len(ids)-mostWords:]
	}
	return ids
}
