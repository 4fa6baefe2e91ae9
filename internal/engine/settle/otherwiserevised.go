package settle

import (
	"context"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/memory"
)

// A revised is a current memory, and that record of its line of which something was said.
type revised struct {
	now *store.Item
	was *memory.Record
}

// earlierOf returns the earlier revisions of some current memories: what was said of one of them may hold of the memory
// still.
func (s *settling) earlierOf(ctx context.Context, now map[memory.ID]*store.Item) (map[memory.ID][]revised, error) {
	out := make(map[memory.ID][]revised)
	of := make(map[memory.ID][]*store.Item) // whose line a record is of
	walk := func(r *memory.Record, now *store.Item) {
		for _, ref := range r.Header.Provenance.Supersedes {
			if ref.Kind.IsMemory() && !slices.Contains(of[ref.ID], now) {
				of[ref.ID] = append(of[ref.ID], now)
			}
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(now), memory.ID.Compare) {
		walk(now[id].Record, now[id])
	}
	for n := 0; len(of) > 0 && n < mostBefore; n++ {
		ids := slices.SortedFunc(maps.Keys(of), memory.ID.Compare)
		items, err := s.e.Store.Get(ctx, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		step := of
		of = make(map[memory.ID][]*store.Item)
		for _, it := range items {
			if it == nil || it.Record == nil || out[it.Ref.ID] != nil {
				continue
			}
			for _, now := range step[it.Ref.ID] {
				out[it.Ref.ID] = append(out[it.Ref.ID], revised{now, it.Record})
				walk(it.Record, now)
			}
		}
	}
	return out, nil
}

// answered reports whether a revision needs no mark of what was said of an earlier form of it: it says what was said,
// a person wrote it later, or it has ended.
func (s *settling) answered(of revised, by *store.Item) bool {
	if of.was.ID == of.now.Ref.ID {
		return false
	}
	h := &of.now.Record.Header
	at := s.at.Time()
	if s.at.IsZero() {
		at = s.e.C.Now()
	}
	if until := h.ValidUntil; !until.IsZero() && until != of.was.Header.ValidUntil && !at.Before(until.Time()) {
		return true
	}
	if s.who.Voice(of.now.Record).Owner && h.At.Time().After(views.Happened(by.Record)) {
		return true
	}
	said := core.Compared(by.Record)
	if own, is := core.OwnWords(by.Record); is {
		said = own
	}
	return touch.Of(core.Compared(of.now.Record)).TakesUp(touch.Of(said), touch.Of(core.Compared(of.was)))
}
