package standing

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An openLink is an open link as one of its ends sees it.
type openLink struct {
	Tie
	may   bool        // the newer end may be given before the older
	first *store.Item // the end that a person decided, where the other is not a person's; it is given first
}

// UndecidedAt returns the open links that tie some memories to others, as of a time (zero is
// now). Links that say the same about the same two memories are returned once.
func (e *Standings) UndecidedAt(
	rd *trust.Reading, at memory.Time, items []*store.Item,
) (map[memory.ID][]openLink, error) {
	ids, err := e.tiedBefore(rd, items)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	links, err := e.LinksOf(rd, ids...)
	if err != nil {
		return nil, err
	}
	if !at.IsZero() {
		if links, err = e.ItemsAt(rd, at, core.IDsOf(core.RefsOf(links))...); err != nil {
			return nil, err
		}
		links = core.Present(links)
	}
	if len(links) == 0 {
		return nil, nil
	}
	ties, err := e.Ties(rd, at, links)
	if err != nil {
		return nil, err
	}
	who, err := rd.Keyring()
	if err != nil {
		return nil, err
	}
	base, err := rd.TrustContext()
	if err != nil {
		return nil, err
	}
	out := make(map[memory.ID][]openLink)
	said := make(Repeats)
	for _, t := range ties {
		if t.State != LinkOpen || said.Again(&t.LinkView) {
			continue
		}
		may, err := e.Outweighs(rd, &t, who)
		if err != nil {
			return nil, err
		}
		o := openLink{Tie: t, may: may}
		if o.first, err = e.decidedEnd(rd, &t, who, base); err != nil {
			return nil, err
		}
		out[t.OldItem.Ref.ID] = append(out[t.OldItem.Ref.ID], o)
		out[t.NewItem.Ref.ID] = append(out[t.NewItem.Ref.ID], o)
	}
	return out, nil
}

// decidedEnd returns the end of an open link that a person decided, nil where both or none are a person's word.
func (e *Standings) decidedEnd(
	rd *trust.Reading, t *Tie, who state.Voices, base *trust.Context,
) (*store.Item, error) {
	if t.Differs || t.Relation != memory.Update && t.Relation != memory.Contradict {
		return nil, nil
	}
	older, err := e.decided(rd, t.OldItem, who, base)
	if err != nil {
		return nil, err
	}
	newer, err := e.decided(rd, t.NewItem, who, base)
	switch {
	case err != nil || older == newer:
		return nil, err
	case older:
		return t.OldItem, nil
	}
	return t.NewItem, nil
}

// mostRevisions bounds how far back a look for links goes.
const mostRevisions = 100

// tiedBefore returns those of some memories, with their earlier revisions, that a link may tie
// to others: a proposal about a memory is one about its revision.
func (e *Standings) tiedBefore(rd *trust.Reading, items []*store.Item) ([]memory.ID, error) {
	var out, todo []memory.ID
	seen := make(map[memory.ID]bool)
	take := func(it *store.Item) {
		if it == nil || it.Record == nil {
			return
		}
		if it.State.Links > 0 {
			out = append(out, it.Ref.ID)
		}
		for _, ref := range it.Record.Header.Provenance.Supersedes {
			if !seen[ref.ID] && ref.Kind.IsMemory() {
				seen[ref.ID] = true
				todo = append(todo, ref.ID)
			}
		}
	}
	for _, it := range items {
		if it != nil {
			seen[it.Ref.ID] = true // it is taken itself
		}
	}
	for _, it := range items {
		take(it)
	}
	for n := 0; len(todo) > 0 && n < mostRevisions; n++ {
		before, err := rd.Get(todo...)
		if err != nil {
			return nil, core.Classify(err)
		}
		todo = nil
		for _, it := range before {
			take(it)
		}
	}
	sorting.By(out, memory.ID.Compare)
	return slices.Compact(out), nil
}

// Against says in a few words what an open link means for one of its ends.
func (o *openLink) Against(ref string) string {
	l := &o.LinkView
	switch {
	case o.Differs && ref == l.Old.Ref:
		return "also replaced by " + core.Shortened(l.New.Ref) + ", which was decided against"
	case o.Differs:
		return "decided against, and also kept in the place of " + core.Shortened(l.Old.Ref)
	case l.Relation == memory.Contradict && ref == l.Old.Ref:
		return "contradicts " + core.Shortened(l.New.Ref)
	case l.Relation == memory.Contradict:
		return "contradicts " + core.Shortened(l.Old.Ref)
	case ref == l.Old.Ref && o.may:
		return "perhaps replaced by " + core.Shortened(l.New.Ref)
	case ref == l.Old.Ref:
		return "update proposed by " + core.Shortened(l.New.Ref)
	case o.may:
		return "perhaps replaces " + core.Shortened(l.Old.Ref)
	}
	return "proposed as an update of " + core.Shortened(l.Old.Ref)
}

// undecided says what open links make of the candidates.
func (s *settling) undecided(rd *trust.Reading, items []*store.Item) error {
	ask := make([]*store.Item, 0, len(items)+len(s.spoken))
	for _, it := range items {
		if it != nil && it.Record != nil && it.Ref.Kind.IsMemory() {
			ask = append(ask, it)
		}
	}
	for _, w := range s.spoken {
		ask = append(ask, w.memory)
	}
	open, err := s.e.UndecidedAt(rd, s.at, ask)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it != nil {
			s.openOf(it, it, open)
		}
	}
	for _, w := range s.spoken {
		s.openOf(w.raw, w.memory, open)
	}
	return s.sayLikewise(rd, items, open)
}

// sayLikewise lists below what a person decided also those candidates that state the same as one that an open link
// ties to it: in another kind, or before the decision.
func (s *settling) sayLikewise(rd *trust.Reading, items []*store.Item, open map[memory.ID][]openLink) error {
	against := make(map[string][]*openLink)
	for _, it := range items {
		if it == nil || it.Record == nil || it.Ref.Kind == memory.KindRaw || len(open[it.Ref.ID]) == 0 {
			continue
		}
		line := s.stated(it.Record)
		for i := range open[it.Ref.ID] {
			o := &open[it.Ref.ID][i]
			if line != "" && !o.Differs && o.first != nil && o.first.Ref != it.Ref {
				against[line] = append(against[line], o)
			}
		}
	}
	if len(against) == 0 {
		return nil
	}
	base, err := rd.TrustContext()
	if err != nil {
		return err
	}
	for _, it := range items {
		if it == nil || it.Record == nil || it.Ref.Kind == memory.KindRaw || !it.State.Live() {
			continue
		}
		for _, o := range against[s.stated(it.Record)] {
			tied := it.Ref == o.OldItem.Ref || it.Ref == o.NewItem.Ref
			if tied || !s.e.Compares(it.Record, o.first.Record) {
				continue
			}
			person, err := s.e.decided(rd, it, s.who, base)
			if err != nil {
				return err
			}
			if person {
				break
			}
			d := s.of(it.Ref.ID)
			d.Under(o.first)
			d.Mark("contradicts " + o.first.Ref.Short())
		}
	}
	return nil
}

// openOf adds to an item the open links of a memory: itself, or the one whose words it is.
func (s *settling) openOf(it, m *store.Item, open map[memory.ID][]openLink) {
	for i := range open[m.Ref.ID] {
		o := &open[m.Ref.ID][i]
		d := s.of(it.Ref.ID)
		d.Open = append(d.Open, o.Against(m.Ref.String()))
		if o.Differs {
			continue // it changes no place: who decided against one may have been right
		}
		if o.first != nil {
			if o.first.Ref != m.Ref && (it == m || !s.who.Voice(it.Record).Owner) {
				d.Under(o.first)
				s.saidAgain(d, o)
			}
			continue
		}
		mine := it == m || state.May(s.who.Voice(o.NewItem.Record), it.Record, s.who)
		update, contradict := o.Relation == memory.Update, o.Relation == memory.Contradict
		isOld, isNew := o.OldItem.Ref == m.Ref, o.NewItem.Ref == m.Ref
		switch {
		case isOld && o.may && mine && update && d.Newer == nil:
			d.Newer = o.NewItem
		case isOld && o.may && mine && contradict && d.Rival == nil:
			d.Rival = o.NewItem
		case isNew && !o.may && update && m.State.Review != state.ReviewApproved:
			d.Proposed = append(d.Proposed, o.OldItem)
		}
	}
}
