package settle

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// sectionsOf returns the rank of the section that each memory would be listed in; more is
// higher. Words yield only to a memory that ranks at least as high.
type sectionsOf func(rd *trust.Reading, items []*store.Item) (map[memory.ID]int, error)

// Settle says for each of the candidates of an answer, best first, what decisions
// about memories make of it: of the words a memory was made of, and of what an open
// link ties. It is computed as of a time, zero is now. Items of which there is
// nothing to say are absent from the result. It reads no candidate's text for
// instructions and changes no state.
func (e *Settle) Settle(
	rd *trust.Reading, items []*store.Item, at memory.Time, sections sectionsOf,
) (map[memory.ID]*views.Settled, error) {
	return e.SettleHeld(rd, items, at, memory.Time{}, sections)
}

// SettleHeld is settle where what held at a time is asked for.
func (e *Settle) SettleHeld(
	rd *trust.Reading, items []*store.Item, at, validAt memory.Time, sections sectionsOf,
) (map[memory.ID]*views.Settled, error) {
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	s := &settling{
		e: e, who: who, at: at, validAt: validAt, out: make(
			map[memory.ID]*views.Settled,
		), made: make(map[memory.ID][]views.Made), rests: make(map[memory.ID][]*store.Item),
		was:   make(map[memory.ID][]views.Made),
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
	said := make(map[views.Sameness]*store.Item) // the first of those that say the same
	for _, it := range memories {
		same, can := views.SamenessOf(it)
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
		views.Sameness
		principal string
	}
	said := make(map[saying][]*store.Item) // those that may have a line of their own still
	for _, it := range memories {
		if !it.State.Live() {
			continue
		}
		same, can := views.SamenessOf(it)
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
		key := line{d.Below.Ref, by, words.Folded(views.TextsOf(raw.Record)[0])} // a raw has one text
		if best := first[key]; best != nil && key.text != "" {
			d.Into = best
		} else if d.Into == nil {
			first[key] = raw
		}
	}
}

// settling is one call of settle.
type settling struct {
	e       *Settle
	who     state.Voices
	at      memory.Time // as of when; zero is now
	validAt memory.Time // what held at this time counts as current; zero is now
	out     map[memory.ID]*views.Settled

	raws     []*store.Item
	sayingBy map[sayingOf][]*store.Item // of saying, those of one principal
	given    []*store.Item              // the other candidates
	saying   map[string][]*store.Item   // those that are current and not episodes, by their folded texts
	made     map[memory.ID][]views.Made // by raw
	heard    map[hearing]bool           // what about has
	was      map[memory.ID][]views.Made // the same with what its author took back
	fates    map[memory.ID]*fates       // of what was made, by raw
	about    map[memory.ID][]*memory.Record
	decided  map[memory.ID]state.Decision
	rests    map[memory.ID][]*store.Item // memories of what stays of one whose place was taken in part
	section  map[memory.ID]int
	spoken   []spokenOf
	lines    map[*memory.Record]string // what each states
}

// hearing is a claim about a record.
type hearing struct {
	of    memory.ID
	claim *memory.Record
}

// counts reports whether a memory counts among those made of a raw. A stranger's memory made
// of the user's words neither keeps nor hides them.
func (s *settling) counts(m, raw *memory.Record) bool {
	return s.samePrincipal(m, raw) || state.May(s.who.Voice(m), raw, s.who)
}

// heldThen returns the memory of a chain that was valid at the time asked for, or nil if the
// current one is asked for.
func (s *settling) heldThen(c core.Chain) *store.Item {
	if s.validAt.IsZero() {
		return nil
	}
	it, _ := c.HeldAt(s.validAt.Time())
	return it
}

// spokenOf is words that are listed beside their memory: an open link of the memory concerns
// both.
type spokenOf struct{ raw, memory *store.Item }

func (s *settling) of(id memory.ID) *views.Settled {
	if s.out[id] == nil {
		s.out[id] = &views.Settled{}
	}
	return s.out[id]
}

func (s *settling) weight(it *store.Item) int {
	n := 0
	if s.who.Voice(it.Record).Owner {
		n++
	}
	if it.State.Review == state.ReviewApproved {
		n += 2
	}
	return n
}

func (s *settling) samePrincipal(a, b *memory.Record) bool {
	p := s.who.Voice(a).Principal
	return p != "" && p == s.who.Voice(b).Principal
}
