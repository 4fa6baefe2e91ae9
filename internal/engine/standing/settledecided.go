package standing

import (
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// mostBefore bounds how many revisions back a look for replaced words goes.
const mostBefore = 32

// A decision is a current memory by which a person decided.
type decision struct {
	of  *store.Item
	how string // what became of the words, as a mark says it; "" where they are the decision's own
}

func saysEnded(by memory.Ref) string { return "says what " + by.Short() + " ended" }

func saysReplaced(by memory.Ref) string { return "says what " + by.Short() + " replaced" }

// decided reports whether a memory is the word of a person who has a say here: they wrote, spoke or approved it.
func (e *Standings) decided(
	rd *trust.Reading, it *store.Item, who state.Voices, base *trust.Context,
) (bool, error) {
	if base.PersonSays(it) {
		return true, nil
	}
	said, err := e.SaidByPerson(rd, it, who)
	return said && base.Knows(who.Voice(it.Record).Principal), err
}

// belowDecisions says which of the candidates state again what a person ended or replaced, or repeat in another kind
// what a person decided: they are listed below that decision, however well they match.
func (s *settling) belowDecisions(rd *trust.Reading, items []*store.Item) error {
	base, err := rd.TrustContext()
	if err != nil {
		return err
	}
	said, err := s.decisionsAmong(rd, items, base)
	if err != nil || len(said) == 0 {
		return err
	}
	for _, it := range items {
		if it == nil || it.Record == nil || !it.Ref.Kind.IsMemory() || !it.State.Live() || s.over(it.Record) {
			continue
		}
		d := s.out[it.Ref.ID]
		if d != nil && (d.Into != nil && it.Ref.Kind != memory.KindRaw || d.Below != nil || d.Hidden != "") {
			continue
		}
		for _, one := range said[s.stated(it.Record)] {
			if err := s.belowDecision(rd, it, one, base); err != nil {
				return err
			}
		}
	}
	return nil
}

// belowDecision lists a candidate below a decision, unless a person says it.
func (s *settling) belowDecision(rd *trust.Reading, it *store.Item, by decision, base *trust.Context) error {
	h := &it.Record.Header
	switch {
	case it.Ref == by.of.Ref, !s.e.Compares(it.Record, by.of.Record):
		return nil
	case by.how == "" && (h.Kind == memory.KindRaw || SameMemory(it, by.of)):
		return nil // these share a line
	case by.how != "" && s.stated(it.Record) == s.stated(by.of.Record) && !s.over(by.of.Record):
		return nil // what the decision says now
	case s.out[it.Ref.ID] != nil && s.out[it.Ref.ID].Into != nil && s.out[it.Ref.ID].Into.Ref == by.of.Ref:
		return nil // its own words
	case h.Kind == memory.KindRaw && s.who.Voice(it.Record).Owner:
		return nil
	}
	if h.Kind != memory.KindRaw {
		if person, err := s.e.decided(rd, it, s.who, base); person || err != nil {
			return err
		}
	}
	d := s.of(it.Ref.ID)
	d.Under(by.of)
	if by.how != "" {
		d.Mark(by.how)
	}
	return nil
}

// saidAgain marks the newer end of a link that a detector found to say again what a person replaced or ended.
func (s *settling) saidAgain(d *Settled, o *openLink) {
	switch old := o.OldItem; {
	case o.Detector != SaidAgain || o.first.Ref != old.Ref:
	case s.over(old.Record):
		d.Mark(saysEnded(old.Ref))
	default:
		d.Mark(saysReplaced(old.Ref))
	}
}

// stated returns all that a memory states, folded once.
func (s *settling) stated(r *memory.Record) string {
	line, known := s.lines[r]
	if !known {
		if s.lines == nil {
			s.lines = make(map[*memory.Record]string)
		}
		line = Stated(r)
		s.lines[r] = line
	}
	return line
}

// over reports whether what a memory states is over at the time that is asked about.
func (s *settling) over(r *memory.Record) bool {
	at := s.validAt.Time()
	if s.validAt.IsZero() {
		if at = s.e.C.Now(); !s.at.IsZero() {
			at = s.at.Time()
		}
	}
	until := r.Header.ValidUntil
	return !until.IsZero() && !at.Before(until.Time())
}

// decisionsAmong returns the decisions among the candidates by the words that they end, replace or say.
func (s *settling) decisionsAmong(
	rd *trust.Reading, items []*store.Item, base *trust.Context,
) (map[string][]decision, error) {
	out := make(map[string][]decision)
	say := func(r *memory.Record, d decision) {
		line := s.stated(r)
		same := func(o decision) bool { return o.of.Ref == d.of.Ref }
		if line != "" && !slices.ContainsFunc(out[line], same) {
			out[line] = append(out[line], d)
		}
	}
	todo := make(map[memory.ID]*heading)
	for _, it := range items {
		if it == nil || it.Record == nil || !it.State.Live() || it.Ref.Kind == memory.KindRaw ||
			!s.validAt.IsZero() && !core.Holds(it.Record, s.validAt.Time()) {
			continue
		}
		person := base.PersonSays(it)
		switch {
		case person && s.over(it.Record):
			say(it.Record, decision{it, saysEnded(it.Ref)})
		case person:
			say(it.Record, decision{it, ""})
		}
		if len(it.Record.Header.Provenance.Supersedes) > 0 && person || it.State.Links > 0 {
			todo[it.Ref.ID] = &heading{head: it, at: it, person: person}
		}
	}
	for n := 0; len(todo) > 0 && n < mostBefore; n++ {
		before, err := s.before(rd, todo)
		if err != nil {
			return nil, err
		}
		todo = make(map[memory.ID]*heading)
		for _, h := range before {
			if todo[h.at.Ref.ID] = h; h.person {
				say(h.at.Record, decision{h.head, saysReplaced(h.head.Ref)})
			}
		}
	}
	return out, nil
}

// A heading is a revision of a current memory.
type heading struct {
	head, at *store.Item
	person   bool // a person decided that the current one holds
}

// before returns what some revisions took the place of: by their own word, or because a person said so of the two.
func (s *settling) before(rd *trust.Reading, all map[memory.ID]*heading) ([]*heading, error) {
	by := make(map[memory.ID]*heading)
	var ids, tied []memory.ID
	take := func(old memory.ID, h *heading) {
		if by[old] == nil {
			by[old] = h
			ids = append(ids, old)
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(all), memory.ID.Compare) {
		h := all[id]
		for _, ref := range h.at.Record.Header.Provenance.Supersedes {
			take(ref.ID, &heading{head: h.head, person: h.person})
		}
		if h.at.State.Links > 0 {
			tied = append(tied, id)
		}
	}
	links, err := s.e.LinksOf(rd, tied...)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		b, ok := l.Record.Body.(*memory.Link)
		if ok && b.Relation == memory.Update && all[b.Target.ID] != nil {
			h := all[b.Target.ID]
			take(b.Source.ID, &heading{head: h.head, person: h.person || s.who.Voice(l.Record).Owner})
		}
	}
	old, err := s.e.ItemsAt(rd, s.at, ids...)
	if err != nil {
		return nil, err
	}
	var out []*heading
	for i, it := range old {
		h := by[ids[i]]
		if it == nil || it.Ref.Kind == memory.KindRaw || all[it.State.SupersededBy] == nil ||
			all[it.State.SupersededBy].head != h.head {
			continue // what claims to have replaced it did not
		}
		h.at = it
		out = append(out, h)
	}
	return out, nil
}
