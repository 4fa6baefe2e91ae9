package settle

import (
	"context"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// sectionsOf returns the rank of the section that each memory would be listed in; more is
// higher. Words yield only to a memory that ranks at least as high.
type sectionsOf func(ctx context.Context, items []*store.Item) (map[memory.ID]int, error)

// Settle says for each of the candidates of an answer, best first, what decisions
// about memories make of it: of the words a memory was made of, and of what an open
// link ties. It is computed as of a time, zero is now. Items of which there is
// nothing to say are absent from the result. It reads no candidate's text for
// instructions and changes no state.
func (e *Settle) Settle(
	ctx context.Context, items []*store.Item, at memory.Time, sections sectionsOf,
) (map[memory.ID]*views.Settled, error) {
	return e.SettleHeld(ctx, items, at, memory.Time{}, sections)
}

// SettleHeld is settle where what held at a time is asked for.
func (e *Settle) SettleHeld(
	ctx context.Context, items []*store.Item, at, validAt memory.Time, sections sectionsOf,
) (map[memory.ID]*views.Settled, error) {
	who, err := e.Keyring(ctx)
	if err != nil {
		return nil, err
	}
	s := &settling{
		e: e, who: who, at: at, validAt: validAt, out: make(
			map[memory.ID]*views.Settled,
		), made: make(map[memory.ID][]views.Made), was: make(map[memory.ID][]views.Made),
		fates: make(map[memory.ID]*fates),
		about: make(map[memory.ID][]*memory.Record), decided: make(map[memory.ID]state.Decision),
	}
	var memories []*store.Item
	for _, it := range items {
		switch {
		case it == nil || it.Record == nil:
		case it.Ref.Kind == memory.KindRaw:
			s.raws = append(s.raws, it)
		default:
			memories = append(memories, it)
		}
	}
	s.given = memories
	if err := s.gather(ctx); err != nil {
		return nil, err
	}
	for _, raw := range s.raws {
		s.judge(raw)
	}
	if err := s.readSame(ctx); err != nil {
		return nil, err
	}
	if err := s.rankSections(ctx, memories, sections); err != nil {
		return nil, err
	}
	s.oneLine(memories)
	for _, raw := range s.raws {
		s.words(raw)
	}
	s.oneBelow()
	if err := s.undecided(ctx, items); err != nil {
		return nil, err
	}
	return s.out, s.belowDecisions(ctx, items)
}

// rankSections reads the ranks of the sections of raws and of the memories they may yield to.
func (s *settling) rankSections(ctx context.Context, memories []*store.Item, sections sectionsOf) error {
	ask := make(map[memory.ID]*store.Item)
	for _, raw := range s.raws {
		for _, m := range append(s.takers(raw), s.sameGiven(raw)...) {
			ask[raw.Ref.ID], ask[m.Ref.ID] = raw, m
		}
	}
	said := make(map[string][]*store.Item) // by their words
	for _, it := range memories {
		if !it.Ref.Kind.Form().OneLine {
			continue
		}
		line := words.Folded(memory.Words(it.Record.Body))
		for _, other := range said[line] {
			if views.SameMemory(it, other) {
				ask[it.Ref.ID], ask[other.Ref.ID] = it, other
			}
		}
		said[line] = append(said[line], it)
	}
	if len(ask) == 0 {
		return nil
	}
	items := make([]*store.Item, 0, len(ask))
	for _, it := range ask {
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b *store.Item) int { return a.Ref.ID.Compare(b.Ref.ID) })
	var err error
	s.section, err = sections(ctx, items)
	return err
}

// oneLine returns memories that say the same, by one principal, one line: of the one in
// the higher section, else of the one a person wrote or approved, else of the newest where something stands against
// both, else of the best.
func (s *settling) oneLine(memories []*store.Item) {
	better := func(a, b *store.Item) bool {
		if x, y := s.section[a.Ref.ID], s.section[b.Ref.ID]; x != y {
			return x > y
		}
		if x, y := s.weight(a), s.weight(b); x != y {
			return x > y
		}
		// who says a thing again after something stood against it means what is newest
		return a.State.Links > 0 && b.State.Links > 0 && a.Record.Header.At.Time().After(b.Record.Header.At.Time())
	}
	said := make(map[string][]*store.Item) // by their words
	for _, it := range memories {
		if !it.State.Live() || !it.Ref.Kind.Form().OneLine {
			continue
		}
		line := words.Folded(memory.Words(it.Record.Body))
		before := said[line]
		said[line] = append(before[:len(before):len(before)], it)
		for _, best := range before {
			if !best.State.Live() || s.out[best.Ref.ID] != nil && s.out[best.Ref.ID].Into != nil ||
				!views.SameMemory(best, it) ||
				!s.samePrincipal(best.Record, it.Record) {
				continue
			}
			if better(it, best) {
				best, it = it, best
			}
			s.of(it.Ref.ID).Into = best
			break
		}
	}
}

// oneBelow merges captures with the same words below the same memory into one line.
func (s *settling) oneBelow() {
	for i, raw := range s.raws {
		d := s.out[raw.Ref.ID]
		if d == nil || d.Below == nil {
			continue
		}
		for _, best := range s.raws[:i] {
			if o := s.out[best.Ref.ID]; o != nil && o.Below != nil && o.Into == nil && o.Below.Ref == d.Below.Ref &&
				s.samePrincipal(best.Record, raw.Record) && views.SayTheSame(best.Record, raw.Record) {
				d.Into = best
				break
			}
		}
	}
}
