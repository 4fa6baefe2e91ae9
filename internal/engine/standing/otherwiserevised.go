package standing

import (
	"maps"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/memory"
)

// mostEarlier bounds how many revisions back a look for what was said goes.
const mostEarlier = 32

// A revised is a current memory, and that record of its line of which something was said.
type revised struct {
	now  *store.Item
	was  *memory.Record
	rest bool // the memory says only what stayed of that
}

// earlierOf returns the earlier revisions of some current memories, and what they say the rest of: what was said of
// one of these may hold of the memory still.
func earlierOf(rd *trust.Reading, now map[memory.ID]*store.Item) (map[memory.ID][]revised, error) {
	out := make(map[memory.ID][]revised)
	of := make(map[memory.ID][]revised) // whose line a record is of
	walk := func(r *memory.Record, now revised) {
		before := r.Header.Provenance.Supersedes
		if _, rest := core.RestAfter(r); rest && len(before) == 0 {
			before, now.rest = r.Header.Provenance.From, true
		}
		for _, ref := range before {
			if ref.Kind.IsMemory() {
				of[ref.ID] = append(of[ref.ID], now)
			}
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(now), memory.ID.Compare) {
		walk(now[id].Record, revised{now: now[id]})
	}
	for n := 0; len(of) > 0 && n < mostEarlier; n++ {
		ids := slices.SortedFunc(maps.Keys(of), memory.ID.Compare)
		items, err := rd.Get(ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		step := of
		of = make(map[memory.ID][]revised)
		for _, it := range items {
			if it == nil || it.Record == nil {
				continue
			}
			for _, now := range step[it.Ref.ID] {
				if now.was = it.Record; !slices.Contains(out[it.Ref.ID], now) {
					out[it.Ref.ID] = append(out[it.Ref.ID], now)
					walk(it.Record, now)
				}
			}
		}
	}
	return out, nil
}

// answered reports whether a revision needs no mark of what was said of an earlier form of it: it says what was
// said, a person wrote it later, or it has ended. What says the rest of a memory needs none of what was said of the
// other part.
func (of revised) answered(by *store.Item, at time.Time, who state.Voices) bool {
	if of.was.ID == of.now.Ref.ID {
		return false
	}
	h := &of.now.Record.Header
	if until := h.ValidUntil; !until.IsZero() && until != of.was.Header.ValidUntil && !at.Before(until.Time()) {
		return true
	}
	if who.Voice(of.now.Record).Owner && h.At.Time().After(Happened(by.Record)) {
		return true
	}
	said := core.Compared(by.Record)
	if own, is := core.OwnWords(by.Record); is {
		said = own
	}
	now := touch.Of(core.Compared(of.now.Record))
	if by := touch.Of(said); of.rest && by.Points(now) < touch.Enough && !by.Against(now) {
		return true
	}
	return now.TakesUp(touch.Of(said), touch.Of(core.Compared(of.was)))
}
