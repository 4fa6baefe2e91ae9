package standing

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A fate is what became of a memory, for the words it was made of.
type fate struct {
	what string      // current, or how it was decided against; "" is none of that
	now  *store.Item // the memory that is current
	lost memory.Ref  // the memory that was decided against
	may  bool        // one who may decide about the words decided
}

const (
	fateCurrent  = "current"
	fateReplaced = "replaced"

	fateQuarantined = "quarantined"
)

// fate says what became of a memory made of a raw.
func (s *settling) fate(raw *memory.Record, m Made) fate {
	last := m.Last()
	held := s.heldThen(m.Chain)
	if held != nil {
		last = held
	}
	if held != nil || last.State.Live() {
		if last.Ref == m.First().Ref || SayTheSame(last.Record, m.First().Record) ||
			SayTheSame(last.Record, raw) {
			return fate{what: fateCurrent, now: last}
		}
		f := fate{what: fateReplaced, now: last, lost: m.First().Ref}
		for _, it := range m.Chain[:len(m.Chain)-1] {
			f.may = f.may || s.mayDecide(s.decided[it.Ref.ID].Replaced, raw)
		}
		return f
	}
	d := s.decided[last.Ref.ID]
	switch {
	case last.State.Review == state.ReviewRejected && d.Rejected != nil:
		return fate{what: "rejected", lost: last.Ref, may: s.mayDecide(d.Rejected, raw)}
	case last.State.Forgotten && d.Forgotten != nil && d.Forgotten.Header.Provenance.Context != core.ContextForgetRun:
		return fate{what: "forgotten", lost: last.Ref, may: s.mayDecide(d.Forgotten, raw)}
	case last.State.Quarantined:
		return fate{what: fateQuarantined, lost: last.Ref} // words never inherit that
	}
	return fate{}
}

func (s *settling) mayDecide(claim, raw *memory.Record) bool {
	return claim != nil && state.May(s.who.Voice(claim), raw, s.who)
}

// fates are what became of all that was made of a raw.
type fates struct {
	all     []fate
	wording []bool // the raw is its wording
	decided bool   // one who may decide about the words decided against each
}

// judge says what became of what was made of a raw.
func (s *settling) judge(raw *store.Item) {
	all := s.made[raw.Ref.ID]
	if len(all) == 0 {
		return
	}
	f := &fates{all: make([]fate, len(all)), wording: make([]bool, len(all)), decided: true}
	for i, m := range all {
		f.all[i], f.wording[i] = s.fate(raw.Record, m), WordingOf(raw.Record, m, len(all))
		f.decided = f.decided && f.all[i].may
	}
	s.fates[raw.Ref.ID] = f
}

// takers returns the current memories that may have the line of a wording, wherever they rank.
func (s *settling) takers(raw *store.Item) (all []*store.Item) {
	f := s.fates[raw.Ref.ID]
	if f == nil {
		return nil
	}
	for i := range f.all {
		if f.all[i].what == fateCurrent && f.wording[i] && s.mayTake(f.all[i].now, raw) {
			all = append(all, f.all[i].now)
		}
	}
	return all
}

// words says what becomes of a raw.
func (s *settling) words(raw *store.Item) {
	f := s.fates[raw.Ref.ID]
	if f == nil {
		s.yieldsToSame(raw) // what was made of them was taken back, and perhaps said again
		return
	}
	kept := raw.State.Review == state.ReviewApproved || s.decided[raw.Ref.ID].Kept
	switch {
	case s.yields(raw):
		return
	case !f.decided && s.yieldsToSame(raw):
		return
	case f.decided && !kept && slices.Contains(f.wording, true):
		s.inherits(raw, f)
		return
	}
	named, more := 0, 0
	say := func(lost memory.Ref, became string) {
		if named == mostLost {
			more++
			return
		}
		named++
		s.of(raw.Ref.ID).Mark(lost.Short() + ", made of this, " + became)
	}
	for i, one := range f.all {
		switch {
		case one.what == fateReplaced:
			say(one.lost, "was replaced by "+one.now.Ref.Short())
		case one.what == fateQuarantined:
			say(one.lost, "is quarantined")
		case one.lost != (memory.Ref{}):
			say(one.lost, "was decided against")
		case f.wording[i] && one.now != nil:
			s.tied(raw, one.now)
		}
	}
	if more > 0 {
		s.of(raw.Ref.ID).Mark(strconv.Itoa(more) + " more, made of this, are not current")
	}
}

// mostLost is how many memories are named that were made of words and do not hold.
const mostLost = 4

// tied notes that open links of a memory speak of its words too.
func (s *settling) tied(raw, m *store.Item) {
	s.spoken = append(s.spoken, spokenOf{raw, m})
}

// yields returns the line of a wording to a current memory, where there is one that may
// have it.
func (s *settling) yields(raw *store.Item) bool {
	var best *store.Item
	for _, m := range s.takers(raw) {
		if s.section[m.Ref.ID] < s.section[raw.Ref.ID] {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(
			s.section[m.Ref.ID], s.section[best.Ref.ID],
		), cmp.Compare(s.weight(m), s.weight(best)),
			best.Record.Header.At.Time().Compare(m.Record.Header.At.Time())) > 0 {
			best = m
		}
	}
	if best == nil {
		return false
	}
	for d := s.out[best.Ref.ID]; d != nil && d.Into != nil; d = s.out[best.Ref.ID] {
		best = d.Into
	}
	s.of(raw.Ref.ID).Into = best
	return true
}

// sameGiven returns the current memories among the candidates that say what words say
// that a memory was made of: theirs is gone, and the same was said since.
func (s *settling) sameGiven(raw *store.Item) []*store.Item {
	if s.saying == nil {
		s.saying, s.sayingBy = make(map[string][]*store.Item), make(map[sayingOf][]*store.Item)
		for _, it := range s.given {
			if it.Ref.Kind != memory.KindEpisode && it.State.Live() {
				s.says(it)
			}
		}
	}
	line := sayingOf{words.Folded(TextsOf(raw.Record)[0]), s.who.Voice(raw.Record).Principal} // a raw has one text
	out, known := s.sayingBy[line]
	if !known {
		for _, it := range s.saying[line.text] {
			if s.samePrincipal(it.Record, raw.Record) {
				out = append(out, it)
			}
		}
		s.sayingBy[line] = out
	}
	if len(out) == 0 || !s.drafted(raw) {
		return nil
	}
	return out
}

// sayingOf is a folded text, and whose words it is.
type sayingOf struct{ text, principal string }

// says files a current memory under what it says.
func (s *settling) says(it *store.Item) {
	for _, text := range TextsOf(it.Record) {
		line := words.Folded(text)
		all := s.saying[line]
		if line != "" && (len(all) == 0 || all[len(all)-1] != it) { // by another of its texts
			s.saying[line] = append(all, it)
		}
	}
}

// drafted reports whether a memory was made of words that says the same, whatever became of it.
func (s *settling) drafted(raw *store.Item) bool {
	return slices.ContainsFunc(s.was[raw.Ref.ID], func(m Made) bool {
		return !m.Cites || SayTheSame(raw.Record, m.First().Record)
	})
}

// yieldsToSame returns the line of words to such a memory, where one may have it.
func (s *settling) yieldsToSame(raw *store.Item) bool {
	for _, it := range s.sameGiven(raw) {
		if s.section[it.Ref.ID] >= s.section[raw.Ref.ID] {
			for d := s.out[it.Ref.ID]; d != nil && d.Into != nil; d = s.out[it.Ref.ID] {
				it = d.Into
			}
			s.of(raw.Ref.ID).Into = it
			return true
		}
	}
	return false
}

// mayTake reports whether a memory may have the line of a wording: its author may
// decide about the words, or it says, for the same person, the very same.
func (s *settling) mayTake(m, raw *store.Item) bool {
	return state.May(s.who.Voice(m.Record), raw.Record, s.who) || s.samePrincipal(m.Record, raw.Record) &&
		SayTheSame(m.Record, raw.Record)
}

// inherits does to a wording what was decided about all that was made of it.
func (s *settling) inherits(raw *store.Item, f *fates) {
	d := s.of(raw.Ref.ID)
	for i, one := range f.all {
		if one.what != fateReplaced {
			continue
		}
		if d.Below == nil || f.wording[i] {
			d.Below = one.now
		}
		for _, it := range s.made[raw.Ref.ID][i].Chain {
			d.Rests = append(d.Rests, s.rests[it.Ref.ID]...)
		}
	}
	if d.Below != nil && s.yieldsToSame(raw) {
		d.Below = nil // somebody said so since: it holds again
		return
	}
	if d.Below != nil {
		d.Mark("replaced by " + d.Below.Ref.Short())
		return
	}
	i := slices.Index(f.wording, true)
	d.Hidden, d.By = f.all[i].what, f.all[i].lost
	d.Mark(f.all[i].lost.Short() + ", which says this, was decided against")
}
