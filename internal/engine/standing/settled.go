package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// Decide says what decisions and open links make of records whose ratings may be known.
func (e *Standings) Decide(
	rd *trust.Reading, items []*store.Item, known Ratings, at memory.Time,
) (Decisions, error) {
	return e.Settle(rd, items, at, func(rd *trust.Reading, items []*store.Item) (map[memory.ID]int, error) {
		return e.sections(rd, items, known)
	})
}

// sectionsOf returns the rank of the section that each memory would be listed in; more is
// higher. Words yield only to a memory that ranks at least as high.
type sectionsOf func(rd *trust.Reading, items []*store.Item) (map[memory.ID]int, error)

// Settle says for each of the candidates of an answer, best first, what decisions
// about memories make of it: of the words a memory was made of, and of what an open
// link ties. It is computed as of a time, zero is now. Items of which there is
// nothing to say are absent from the result. It reads no candidate's text for
// instructions and changes no state.
func (e *Standings) Settle(
	rd *trust.Reading, items []*store.Item, at memory.Time, sections sectionsOf,
) (map[memory.ID]*Settled, error) {
	return e.SettleHeld(rd, items, at, memory.Time{}, sections)
}

// SettleHeld is settle where what held at a time is asked for.
func (e *Standings) SettleHeld(
	rd *trust.Reading, items []*store.Item, at, validAt memory.Time, sections sectionsOf,
) (map[memory.ID]*Settled, error) {
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	s := &settling{
		e: e, who: who, at: at, validAt: validAt, out: make(
			map[memory.ID]*Settled,
		), made: make(map[memory.ID][]Made), rests: make(map[memory.ID][]*store.Item),
		was:   make(map[memory.ID][]Made),
		fates: make(map[memory.ID]*fates),
		about: make(map[memory.ID][]*memory.Record), decided: make(map[memory.ID]state.Decision),
		heard: make(map[hearing]bool),
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
	if err := s.gather(rd); err != nil {
		return nil, err
	}
	for _, raw := range s.raws {
		s.judge(raw)
	}
	if err := s.readSame(rd); err != nil {
		return nil, err
	}
	if err := s.rankSections(rd, memories, sections); err != nil {
		return nil, err
	}
	s.oneLine(memories)
	for _, raw := range s.raws {
		s.words(raw)
	}
	s.oneBelow()
	if err := s.undecided(rd, items); err != nil {
		return nil, err
	}
	if err := s.otherwise(rd, items); err != nil {
		return nil, err
	}
	return s.out, s.belowDecisions(rd, items)
}

// rankSections reads the ranks of the sections of raws and of the memories they may yield to.
func (s *settling) rankSections(rd *trust.Reading, memories []*store.Item, sections sectionsOf) error {
	ask, asked := make(map[memory.ID]*store.Item), make(map[**store.Item]bool)
	for _, raw := range s.raws {
		for _, m := range s.takers(raw) {
			ask[raw.Ref.ID], ask[m.Ref.ID] = raw, m
		}
		same := s.sameGiven(raw)
		if len(same) == 0 {
			continue
		}
		ask[raw.Ref.ID] = raw
		if first := &same[0]; !asked[first] { // raws that say the same have the same list
			asked[first] = true
			for _, m := range same {
				ask[m.Ref.ID] = m
			}
		}
	}
	said := make(map[Sameness]*store.Item) // the first of those that say the same
	for _, it := range memories {
		same, can := SamenessOf(it)
		switch other := said[same]; {
		case !can:
		case other == nil:
			said[same] = it
		default:
			ask[it.Ref.ID], ask[other.Ref.ID] = it, other
		}
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
	s.section, err = sections(rd, items)
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
	type saying struct {
		Sameness
		principal string
	}
	said := make(map[saying][]*store.Item) // those that may have a line of their own still
	for _, it := range memories {
		if !it.State.Live() {
			continue
		}
		same, can := SamenessOf(it)
		by := s.who.Voice(it.Record).Principal
		if !can || by == "" {
			continue
		}
		key := saying{same, by}
		before := said[key]
		for len(before) > 0 && s.isInto(before[0]) {
			before = before[1:]
		}
		said[key] = append(before, it)
		if len(before) == 0 {
			continue
		}
		best := before[0]
		if better(it, best) {
			best, it = it, best
		}
		s.of(it.Ref.ID).Into = best
	}
}

// isInto reports whether another has the line of a memory.
func (s *settling) isInto(it *store.Item) bool {
	d := s.out[it.Ref.ID]
	return d != nil && d.Into != nil
}

// oneBelow merges captures with the same words below the same memory into one line.
func (s *settling) oneBelow() {
	type line struct {
		below     memory.Ref
		principal string
		text      string
	}
	first := make(map[line]*store.Item)
	for _, raw := range s.raws {
		d := s.out[raw.Ref.ID]
		by := s.who.Voice(raw.Record).Principal
		if d == nil || d.Below == nil || by == "" {
			continue
		}
		key := line{d.Below.Ref, by, words.Folded(TextsOf(raw.Record)[0])} // a raw has one text
		if best := first[key]; best != nil && key.text != "" {
			d.Into = best
		} else if d.Into == nil {
			first[key] = raw
		}
	}
}
