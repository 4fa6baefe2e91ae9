package settle

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
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
func (s *settling) fate(raw *memory.Record, m views.Made) fate {
	last := m.Last()
	held := s.heldThen(m.Chain)
	if held != nil {
		last = held
	}
	if held != nil || last.State.Live() {
		if views.SayTheSame(last.Record, m.First().Record) || views.SayTheSame(last.Record, raw) {
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

// words says what becomes of a raw.
func (s *settling) words(raw *store.Item) {
	all := s.made[raw.Ref.ID]
	if len(all) == 0 {
		s.yieldsToSame(raw) // what was made of them was taken back, and perhaps said again
		return
	}
	fates := make([]fate, len(all))
	wording := make([]bool, len(all))
	decided := true
	for i, m := range all {
		fates[i], wording[i] = s.fate(raw.Record, m), views.WordingOf(raw.Record, m, len(all))
		decided = decided && fates[i].may
	}
	kept := raw.State.Review == state.ReviewApproved || s.decided[raw.Ref.ID].Kept
	switch {
	case s.yields(raw, all, fates, wording):
		return
	case !decided && s.yieldsToSame(raw):
		return
	case decided && !kept && slices.Contains(wording, true):
		s.inherits(raw, fates, wording)
		return
	}
	for i, f := range fates {
		switch {
		case f.what == fateReplaced:
			s.of(raw.Ref.ID).Mark(f.lost.Short() + ", made of this, was replaced by " + f.now.Ref.Short())
		case f.what == fateQuarantined:
			s.of(raw.Ref.ID).Mark(f.lost.Short() + ", made of this, is quarantined")
		case f.lost != (memory.Ref{}):
			s.of(raw.Ref.ID).Mark(f.lost.Short() + ", made of this, was decided against")
		case wording[i] && f.now != nil:
			s.tied(raw, f.now)
		}
	}
}

// tied notes that open links of a memory speak of its words too.
func (s *settling) tied(raw, m *store.Item) {
	s.spoken = append(s.spoken, spokenOf{raw, m})
}

// yields returns the line of a wording to a current memory, where there is one that may
// have it.
func (s *settling) yields(raw *store.Item, all []views.Made, fates []fate, wording []bool) bool {
	var best *store.Item
	for i := range all {
		m := fates[i].now
		if fates[i].what != fateCurrent || !wording[i] || !s.mayTake(m, raw) || s.section[m.Ref.ID] < s.section[raw.Ref.ID] {
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
	if !s.drafted[raw.Ref.ID] {
		return nil
	}
	var out []*store.Item
	for _, it := range s.given {
		if it.Ref.Kind != memory.KindEpisode && it.State.Live() && s.samePrincipal(it.Record, raw.Record) &&
			views.SayTheSame(it.Record, raw.Record) {
			out = append(out, it)
		}
	}
	return out
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
		views.SayTheSame(m.Record, raw.Record)
}

// inherits does to a wording what was decided about all that was made of it.
func (s *settling) inherits(raw *store.Item, fates []fate, wording []bool) {
	d := s.of(raw.Ref.ID)
	for i, f := range fates {
		if f.what == fateReplaced && (d.Below == nil || wording[i]) {
			d.Below = f.now
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
	i := slices.Index(wording, true)
	d.Hidden, d.By = fates[i].what, fates[i].lost
	d.Mark(fates[i].lost.Short() + ", which says this, was decided against")
}
