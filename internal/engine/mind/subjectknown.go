package mind

import (
	"context"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// known returns what is current of a name, of all that is said of it, each with what it took the place of, and how many
// are beyond so many.
func (e *Mind) known(ctx context.Context, all []happening, most int) (known []SubjectEvent, beyond int, err error) {
	known = []SubjectEvent{}
	before, now := make(map[memory.ID][]happening), e.C.Now()
	var current []happening
	for _, h := range all {
		switch k := h.it.Ref.Kind; {
		case !h.it.State.SupersededBy.IsZero():
			before[h.it.State.SupersededBy] = append(before[h.it.State.SupersededBy], h)
		case over(h.it.Record, now):
		case h.it.State.Live() && k != memory.KindRaw && k != memory.KindEpisode:
			current = append(current, h)
		}
	}
	items := make([]*store.Item, len(current))
	for i, h := range current {
		items[i] = h.it
	}
	oneSection := func(*trust.Reading, []*store.Item) (map[memory.ID]int, error) { return nil, nil }
	said, err := e.standing.Settle(e.trust.Reading(ctx), items, memory.Time{}, oneSection)
	if err != nil {
		return known, 0, err
	}
	current = slices.DeleteFunc(current, func(h happening) bool {
		d := said[h.it.Ref.ID]
		return d != nil && d.Into != nil // another says it
	})
	if len(current) > most {
		current, beyond = current[:most], len(current)-most
	}
	if known, err = e.happenings(ctx, current); err != nil {
		return known, 0, err
	}
	for i, h := range current {
		if known[i].Replaced, err = e.happenings(ctx, replacedBy(before, h.it.Ref.ID, nil)); err != nil {
			return known, 0, err
		}
	}
	return known, beyond, nil
}

// over reports whether what a memory says held, and does not hold at a time.
func over(r *memory.Record, at time.Time) bool {
	until := r.Header.ValidUntil
	return !until.IsZero() && !at.Before(until.Time())
}

// replacedBy lists what a memory took the place of, the nearest first.
func replacedBy(before map[memory.ID][]happening, id memory.ID, out []happening) []happening {
	for _, h := range before[id] {
		if len(out) < mostReplaced {
			out = replacedBy(before, h.it.Ref.ID, append(out, h))
		}
	}
	return out
}

// happenings shows memories at the time of their events, with what is undecided about each.
func (e *Mind) happenings(ctx context.Context, shown []happening) ([]SubjectEvent, error) {
	out := []SubjectEvent{}
	if len(shown) == 0 {
		return out, nil
	}
	items := make([]*store.Item, len(shown))
	for i, h := range shown {
		items[i] = h.it
	}
	trusted, err := e.trust.Rate(e.trust.Reading(ctx), items, false)
	if err != nil {
		return out, err
	}
	open, err := e.standing.UndecidedAt(e.trust.Reading(ctx), memory.Time{}, items)
	if err != nil {
		return out, err
	}
	e.receipts.NoteShown("subject", items, trusted)
	for _, h := range shown {
		one := SubjectEvent{PictureNode: pictureNode(h.it, h.it.Ref), Happened: memory.At(h.at).String()}
		if v := trusted[h.it.Ref.ID]; v != nil {
			showNodeRating(&one.PictureNode, v)
			if one.Until != "" && one.Hidden == "" {
				one.Hidden = standing.Over
			}
		}
		if by := h.it.State.SupersededBy; !by.IsZero() {
			one.ReplacedBy = memory.Ref{Kind: h.it.Ref.Kind, ID: by}.String()
		}
		for i := range open[h.it.Ref.ID] {
			one.Open = append(one.Open, open[h.it.Ref.ID][i].Against(one.Ref))
		}
		out = append(out, one)
	}
	return out, nil
}
