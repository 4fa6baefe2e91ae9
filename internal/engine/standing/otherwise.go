package standing

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/touch"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// mostOfTurn is how much of a turn stands in the mark of a memory, in bytes.
const mostOfTurn = 200

// otherwise marks the candidates of which a person said otherwise in a later turn. The turn, or what was remembered of
// it, is listed before what no person decided.
func (s *settling) otherwise(rd *trust.Reading, items []*store.Item) error {
	if err := s.writtenOf(rd); err != nil {
		return err
	}
	byID := make(map[memory.ID]*store.Item)
	var ids []memory.ID
	for _, it := range items {
		if it != nil && it.Record != nil && it.Ref.Kind != memory.KindRaw && it.Ref.Kind.IsMemory() && it.State.Live() {
			byID[it.Ref.ID] = it
			ids = append(ids, it.Ref.ID)
		}
	}
	earlier, err := earlierOf(rd, byID)
	if err != nil {
		return err
	}
	marks, err := rd.Speaking(append(ids, slices.SortedFunc(maps.Keys(earlier), memory.ID.Compare)...),
		memory.KindMark)
	if err != nil {
		return err
	}
	if len(marks) == 0 {
		return nil
	}
	base, err := rd.Voices()
	if err != nil {
		return err
	}
	by := make(map[memory.ID]*store.Item) // the newest
	now := s.at.Time()
	if s.at.IsZero() {
		now = s.e.C.Now()
	}
	was := make(map[memory.ID]revised) // of what that was said
	parts := make(map[memory.ID][]*store.Item)
	back := make(map[memory.ID]bool) // taken back
	for _, m := range marks {
		if b, ok := m.Record.Body.(*memory.Mark); ok && b.Verb == memory.Dismiss {
			for _, ref := range m.Record.Header.Provenance.Supersedes {
				back[ref.ID] = true
			}
		}
	}
	for _, m := range marks {
		b, ok := m.Record.Body.(*memory.Mark)
		if !ok || b.Verb != core.SaidOtherwise || b.Of == nil || len(b.Also) != 1 || !m.State.Live() ||
			back[m.Ref.ID] || !s.at.IsZero() && m.Record.Header.At.Time().After(s.at.Time()) {
			continue
		}
		it, err := s.saysNow(rd, b.Also[0])
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		about := earlier[b.Of.ID]
		if of := byID[b.Of.ID]; of != nil {
			about = append(slices.Clip(about), revised{now: of, was: of.Record})
		}
		who := s.who.Voice(it.Record).Principal
		for _, of := range about {
			id := of.now.Ref.ID
			if it.Ref == of.now.Ref || !Happened(it.Record).After(Happened(of.was)) {
				continue
			}
			mine := who != "" && (who == base.Root || who == s.who.Voice(of.was).Principal)
			if mine && b.Value == core.InPart {
				if !of.answered(it, now, s.who) {
					parts[id] = append(parts[id], it)
				}
			} else if n := by[id]; mine && s.who.Voice(m.Record).Principal == who &&
				(n == nil || Happened(it.Record).After(Happened(n.Record))) {
				by[id], was[id] = it, of
			}
		}
	}
	for _, id := range ids {
		for _, part := range parts[id] {
			d := s.of(id)
			d.Mark("in part replaced by " + part.Ref.Short())
			if d.Newer == nil {
				d.Newer, d.Part = part, true
			}
		}
		if by[id] == nil || was[id].answered(by[id], now, s.who) ||
			slices.ContainsFunc(parts[id], func(p *store.Item) bool { return p.Ref == by[id].Ref }) {
			continue
		}
		if err := s.saidOtherwise(rd, byID[id], by[id], base); err != nil {
			return err
		}
	}
	return nil
}

// writtenOf marks the turns of a person of which an agent wrote what was replaced since.
func (s *settling) writtenOf(rd *trust.Reading) error {
	if !s.at.IsZero() {
		return nil
	}
	turns := make(map[memory.ID]bool)
	for _, raw := range s.raws {
		if _, is := core.OwnWords(raw.Record); is {
			turns[raw.Ref.ID] = true
		}
	}
	ids := slices.SortedFunc(maps.Keys(turns), memory.ID.Compare)
	marks, err := rd.Speaking(ids, memory.KindMark)
	if err != nil {
		return err
	}
	for _, m := range marks {
		b, ok := m.Record.Body.(*memory.Mark)
		if !ok || b.Verb != core.SaidIn || b.Of == nil || !m.State.Live() {
			continue
		}
		made, err := s.e.DerivedFrom(rd, b.Of.ID)
		if err != nil {
			return err
		}
		for _, it := range made {
			by := it.State.SupersededBy
			if by.IsZero() || it.Record == nil {
				continue
			}
			next, err := s.e.One(rd, by)
			if err != nil {
				return err
			}
			if back := next != nil && next.Record != nil && (core.Chain{it, next}).TakenBack(); !back {
				for _, ref := range b.Also {
					if turns[ref.ID] {
						s.of(ref.ID).Mark(it.Ref.Short() + ", written of this, was replaced by " +
							memory.Ref{Kind: it.Ref.Kind, ID: by}.Short())
					}
				}
			}
		}
	}
	return nil
}

// saysNow returns the turn of a person that a mark names, or the current form of a memory, nil where it says nothing
// any more, or comes from outside.
func (s *settling) saysNow(rd *trust.Reading, ref memory.Ref) (*store.Item, error) {
	it, err := s.e.One(rd, ref.ID)
	if err != nil || it == nil || it.Record == nil {
		return nil, core.Classify(err)
	}
	chains, err := s.e.Chains(rd, memory.Time{}, []*store.Item{it})
	if err != nil || len(chains[0]) == 0 || chains[0].TakenBack() {
		return nil, err
	}
	if it = chains[0].Last(); it.Record == nil || !it.State.Live() {
		return nil, nil
	}
	if it.Ref.Kind == memory.KindRaw {
		if _, is := core.OwnWords(it.Record); !is {
			return nil, nil
		}
		return it, nil
	}
	trusted, err := s.e.trust.Rate(rd, []*store.Item{it}, false)
	if v := trusted[it.Ref.ID]; err != nil || v == nil || v.External || v.Tainted {
		return nil, err
	}
	return it, nil
}

// saidOtherwise marks a memory than which something newer says otherwise, and lists that before it, unless a person
// decided it.
func (s *settling) saidOtherwise(rd *trust.Reading, it, by *store.Item, base *trust.Context) error {
	person, err := s.e.decided(rd, it, s.who, base)
	if err != nil {
		return err
	}
	own, turn := core.OwnWords(by.Record)
	d := s.of(it.Ref.ID)
	switch {
	case turn:
		d.Mark("the user said otherwise, " + s.e.Day(by.Record) + ": “" + inMark(own) + "”")
	case person:
		return nil // what an agent says is no word against that
	default:
		d.Mark("said otherwise since, " + s.e.Day(by.Record) + ": " + by.Ref.Short())
	}
	if person || d.Newer != nil {
		return nil // what a person decided keeps its place
	}
	if d.Newer, d.Part = by, touch.Of(core.Compared(it.Record)).Several(); turn {
		d.Newer, err = s.takenUp(rd, by, it)
	}
	return err
}

// takenUp returns the current memory that was made of what an agent wrote of a turn and is of the same as an older one,
// or the turn.
func (s *settling) takenUp(rd *trust.Reading, turn, old *store.Item) (*store.Item, error) {
	marks, err := rd.Speaking([]memory.ID{turn.Ref.ID}, memory.KindMark)
	if err != nil {
		return nil, err
	}
	has := words.Terms(memory.Whole(old.Record.Body))
	for _, m := range marks {
		b, ok := m.Record.Body.(*memory.Mark)
		if !ok || b.Verb != core.SaidIn || b.Of == nil || !m.State.Live() {
			continue
		}
		made, err := s.e.DerivedFrom(rd, b.Of.ID)
		if err != nil {
			return nil, err
		}
		for _, it := range made {
			if it.Record != nil && it.State.Live() && it.Ref != old.Ref && it.Ref.Kind == old.Ref.Kind &&
				slices.ContainsFunc(words.Query(memory.Whole(it.Record.Body)), func(t string) bool {
					return slices.Contains(has, t)
				}) {
				return it, nil
			}
		}
	}
	return turn, nil
}

// inMark returns words as they stand within a mark: on one line, without what could end them.
func inMark(text string) string {
	line := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), strings.ContainsRune("[]“”", r):
			return -1
		}
		return r
	}, text)
	line = strings.Join(strings.Fields(line), " ")
	if len(line) > mostOfTurn {
		line = shorten.To(line, mostOfTurn) + "…"
	}
	return line
}
