package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"

	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// lines turns candidates, best first, into the lines of an answer: words yield to the memory
// that was made of them, rejected ones are left out, and a memory that was or may have been
// replaced is listed below the newer one.
func (s *searching) lines(rd *trust.Reading, all []*standing.Found) ([]*standing.Found, error) {
	items := make([]*store.Item, len(all))
	for i, f := range all {
		items[i] = f.Item
	}
	said, err := s.e.standing.SettleHeld(rd, items, s.keep.AsOf, s.keep.ValidAt, s.e.standing.Sections)
	if err != nil {
		return nil, err
	}
	if s.onlyRaws() { // their order is left alone
		for _, f := range all {
			if f.Settled = said[f.Ref.ID]; f.Settled != nil {
				f.Marks = f.Settled.Marks
			}
		}
		return all, nil
	}
	l := &lining{s: s, byID: make(map[memory.ID]*standing.Found, len(all)), in: make(map[*standing.Found]bool, len(all))}
	for i, f := range all {
		f.Place = i
		l.byID[f.Ref.ID] = f
	}
	for _, f := range all {
		if err := l.line(rd, f, said[f.Ref.ID]); err != nil {
			return nil, err
		}
	}
	if err := l.settleBrought(rd, items); err != nil {
		return nil, err
	}
	for _, f := range slices.Clone(l.out) {
		if err := l.belowOlder(rd, f); err != nil {
			return nil, err
		}
	}
	for _, f := range all { // shown on request, and never above what replaced it
		if m := l.byID[f.State.SupersededBy]; m != nil && m != f && s.in.All {
			l.pair = append(l.pair, pair{f, m, false})
		}
	}
	slices.SortStableFunc(l.out, func(a, b *standing.Found) int {
		if s.browses() {
			return a.Place - b.Place
		}
		return rank.Compare(a.Ranked(), b.Ranked())
	})
	out := belowDecisions(s.belowCurrent(arranged(l.out, l.pair)))
	s.under = make(map[string][]string)
	for _, f := range out {
		for _, it := range f.Decided() {
			s.under[f.Ref.String()] = append(s.under[f.Ref.String()], it.Ref.String())
		}
	}
	if s.said && !s.in.All { // as in packs, what was replaced gives way to what took its place
		out = slices.DeleteFunc(out, func(f *standing.Found) bool { return f.Settled != nil && f.Settled.Below != nil })
		out = s.memoriesFirst(out)
	}
	if s.after != nil {
		given := make(map[*standing.Found]bool, len(out))
		for _, f := range out {
			given[f] = true
		}
		s.yielded = slices.DeleteFunc(slices.Clone(all), func(f *standing.Found) bool {
			return f.Ref.Kind != memory.KindRaw || given[f]
		})
	}
	return out, nil
}

// belowCurrent lists what is over below the memories that hold now and answer about as well,
// unless it is asked what held at a time.
func (s *searching) belowCurrent(all []*standing.Found) []*standing.Found {
	if !s.keep.ValidAt.IsZero() {
		return all
	}
	const alike, sameName = 2, 4 // how many times less well a memory may answer
	for i := len(all) - 1; i >= 0; i-- {
		f := all[i]
		if f.Rating.Ended() == "" {
			continue
		}
		last := i
		for j := i + 1; j < len(all); j++ {
			o, times := all[j], float64(alike)
			same := slices.ContainsFunc(o.Record.Header.About, func(name string) bool {
				return slices.Contains(f.Record.Header.About, name)
			})
			if same {
				times = sameName
			}
			if len(o.Decided()) == 0 && o.Rating.Ended() == "" && o.Ref.Kind != memory.KindRaw && o.State.Live() &&
				o.Factors.Relevance*times >= f.Factors.Relevance {
				last = j
				o.Answers = o.Answers || same && s.bears(f) // it says what is so now
			}
		}
		copy(all[i:last], all[i+1:last+1])
		all[last] = f
	}
	return all
}

// belowDecisions lists each line below all the decisions of a person that it is listed under.
func belowDecisions(all []*standing.Found) []*standing.Found {
	for i := len(all) - 1; i >= 0; i-- {
		f, last := all[i], i
		for _, it := range f.Decided() {
			last = max(last, slices.IndexFunc(all, func(o *standing.Found) bool { return o.Ref == it.Ref }))
		}
		copy(all[i:last], all[i+1:last+1])
		all[last] = f
	}
	return all
}

// onlyRaws reports whether only captures are searched; their order is then left alone.
func (s *searching) onlyRaws() bool {
	return len(s.kinds) > 0 && !slices.ContainsFunc(s.kinds, func(k memory.Kind) bool { return k != memory.KindRaw })
}

// lining is the lines of an answer being made.
type lining struct {
	s    *searching
	byID map[memory.ID]*standing.Found
	out  []*standing.Found
	in   map[*standing.Found]bool // those of out
	pair []pair
}

// line takes one candidate in.
func (l *lining) line(rd *trust.Reading, f *standing.Found, d *standing.Settled) error {
	if f.Settled = d; d == nil {
		l.add(f)
		return nil
	}
	f.Marks = append(f.Marks, d.Marks...)
	if d.Hidden != "" {
		if f.Inherits = d.Hidden; l.s.in.All {
			l.add(f)
		}
		return nil
	}
	if d.Into != nil && !l.s.in.All {
		m, err := l.bring(rd, d.Into, f)
		if err != nil {
			return err
		}
		if m != nil {
			m.TakeLine(f)
			return nil
		}
	}
	l.add(f)
	if err := l.belowDecided(rd, f, d); err != nil {
		return err
	}
	for _, newer := range []*store.Item{l.successor(d), d.Newer} {
		if newer == nil || newer.Ref == f.Ref {
			continue
		}
		m, err := l.bring(rd, newer, f)
		if err != nil {
			return err
		}
		if m != nil && !(d.Part && l.s.asks.Share(wordsOf(f.Record)) > l.s.asks.Share(wordsOf(m.Record))) {
			l.replaces(m, f)
			l.pair = append(l.pair, pair{f, m, newer != d.Newer})
			l.belowSame(m, d)
		}
		break
	}
	if d.Rival != nil && l.byID[d.Rival.Ref.ID] != nil {
		m := l.byID[d.Rival.Ref.ID]
		m.Answers = m.Answers || l.s.bears(f) // it says otherwise of the same
		l.pair = append(l.pair, pair{f, m, false})
	}
	return nil
}

// successor returns what stands in the place of words: where that was taken in part, what answers the question best
// of the new memory and of those that say what stayed.
func (l *lining) successor(d *standing.Settled) *store.Item {
	best, most := d.Below, 0
	if len(d.Rests) == 0 {
		return best
	}
	asked := words.Query(l.s.in.Query)
	for _, it := range append([]*store.Item{best}, d.Rests...) {
		if it.Record == nil {
			continue
		}
		has, n := words.Terms(wordsOf(it.Record)), 0
		for _, t := range asked {
			if slices.Contains(has, t) {
				n++
			}
		}
		if n > most {
			best, most = it, n
		}
	}
	return best
}

// replaces notes that a line took, or may take, the place of another: it answers what that answers.
func (l *lining) replaces(m, f *standing.Found) {
	m.Replaces = true
	m.Answers = m.Answers || l.s.bears(f)
}

// mostDecided is how many decisions a line brings.
const mostDecided = 4

// belowDecided lists a line below what a person decided otherwise.
func (l *lining) belowDecided(rd *trust.Reading, f *standing.Found, d *standing.Settled) error {
	for _, it := range d.Decided[:min(mostDecided, len(d.Decided))] {
		m, err := l.bring(rd, it, f)
		if err != nil {
			return err
		}
		if m != nil {
			l.replaces(m, f)
			l.pair = append(l.pair, pair{f, m, true})
		}
	}
	return nil
}

// belowSame lists what may have replaced a line below the decisions that the line is below: by that nobody decided
// otherwise.
func (l *lining) belowSame(m *standing.Found, d *standing.Settled) {
	if m.Rating.Decided() {
		return
	}
	for _, it := range d.Decided[:min(mostDecided, len(d.Decided))] {
		if by := l.byID[it.Ref.ID]; by != nil && by != m && l.in[by] {
			l.pair = append(l.pair, pair{m, by, true})
		}
	}
}

// mostBrought bounds how often a line that was brought brings another.
const mostBrought = 10

// settleBrought says what decisions and open links make of the lines that were not among the candidates, and of those
// that these bring.
func (l *lining) settleBrought(rd *trust.Reading, candidates []*store.Item) error {
	settled := make(map[memory.ID]bool, len(candidates))
	for _, it := range candidates {
		settled[it.Ref.ID] = true
	}
	for range mostBrought {
		var brought []*store.Item
		for _, f := range l.out {
			if !settled[f.Ref.ID] {
				settled[f.Ref.ID] = true
				brought = append(brought, f.Item)
			}
		}
		if len(brought) == 0 {
			return nil
		}
		said, err := l.s.e.standing.SettleHeld(rd, brought, l.s.keep.AsOf, l.s.keep.ValidAt, l.s.e.standing.Sections)
		if err != nil {
			return err
		}
		for _, it := range brought {
			d := said[it.Ref.ID]
			if d == nil {
				continue
			}
			d.Into = nil // it was brought for itself
			if err := l.line(rd, l.byID[it.Ref.ID], d); err != nil {
				return err
			}
		}
	}
	return nil
}

// belowOlder lists a proposal below the memories that it would update, where the question finds
// them too: its author may not decide about them.
func (l *lining) belowOlder(rd *trust.Reading, f *standing.Found) error {
	if f.Settled == nil || !l.in[f] {
		return nil
	}
	for _, it := range f.Settled.Proposed {
		older := l.byID[it.Ref.ID]
		if _, hit := l.s.hits[it.Ref.ID]; older == nil && !hit || it.Ref == f.Ref {
			continue
		}
		for older != nil && older.Settled != nil && older.Settled.Into != nil && !l.in[older] {
			it = older.Settled.Into
			older = l.byID[it.Ref.ID]
		}
		older, err := l.bring(rd, it, f)
		if err != nil {
			return err
		}
		if older != nil && older != f {
			l.pair = append(l.pair, pair{f, older, false})
		}
	}
	return nil
}

func (l *lining) add(f *standing.Found) {
	if !l.in[f] {
		l.in[f] = true
		l.out = append(l.out, f)
	}
}

// bring returns the line of a memory, as relevant as another where no words found it;
// nil is that it is not what was asked for.
func (l *lining) bring(rd *trust.Reading, it *store.Item, as *standing.Found) (*standing.Found, error) {
	f := l.byID[it.Ref.ID]
	if f == nil {
		c := *as.C
		c.ID, c.Cosine, c.Graph = it.Ref.ID, 0, 0
		f = &standing.Found{Item: it, C: &c, Place: as.Place}
		if ok, err := l.s.asked(rd, f); err != nil || !ok {
			return nil, err
		}
		page, err := l.s.weigh(rd, []*standing.Found{f})
		if err != nil || len(page) == 0 {
			return nil, err
		}
		f.C.Wording = c.Relevance
		l.s.refs[it.Ref.ID], l.byID[it.Ref.ID] = it.Ref, f
	}
	l.add(f)
	return f, nil
}
