package state

import (
	"slices"
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A Look returns a record and all that is said of it. The record is nil where it is not held, or was
// purged.
type Look func(memory.Ref) (r *memory.Record, about []*memory.Record, err error)

// FoldAmong is Fold where others are asked whether they hold. A record is replaced only by one that
// holds itself, or by what took the place of that one:
//
//   - What was rejected or quarantined replaces nothing. Nor does what was forgotten or purged where
//     a person put it in the place of another by a link: who removed it need not have known that.
//   - Where one person puts a record in the place of another and later decides against it, both
//     decisions hold: what they replaced stays replaced.
//   - Of records that replace one another in a circle, the one that was put there last holds.
func FoldAmong(r *memory.Record, about []*memory.Record, now time.Time, who Voices, look Look) (State, error) {
	ends, err := endsOf(r, about, look)
	if err != nil {
		return State{}, err
	}
	f := folded(r, about, now, who, ends...)
	first := f.successors()
	if len(first) == 0 {
		return *f.s, nil
	}
	q := succession{look: look, now: now, who: who, nodes: map[memory.ID]*node{r.ID: {f: f, next: first}}}
	by, err := q.replaces(r, first, isTarget(r, about))
	f.s.SupersededBy = by
	for _, n := range q.nodes {
		if n.f != nil && !n.f.s.Due.IsZero() && (f.s.Due.IsZero() || n.f.s.Due.Time().Before(f.s.Due.Time())) {
			f.s.Due = n.f.s.Due
		}
	}
	return *f.s, err
}

// A successor is what may take a record's place, and the record that says so: itself, or a link.
type successor struct {
	to memory.Ref
	by *memory.Record
}

// successors returns what may take the place of a record, what counts first at the front: revisions
// as Heads orders them, links from the latest, an update that a policy applied.
func (f *folding) successors() []successor {
	if !f.r.Header.Kind.IsMemory() {
		return nil
	}
	var out []successor
	if len(f.rivals) > 0 {
		heads := Heads(f.rivals, f.who)
		rest := slices.DeleteFunc(slices.Clone(f.rivals), func(r *memory.Record) bool { return slices.Contains(heads, r) })
		slices.Reverse(rest)
		for _, r := range append(heads, rest...) {
			out = append(out, successor{r.Ref(), r})
		}
	}
	links := f.updates
	if f.policy != nil && len(links) == 0 && f.s.Yields() {
		links = []*memory.Record{f.policy}
	}
	for _, l := range slices.Backward(links) {
		out = append(out, successor{l.Body.(*memory.Link).Target, l})
	}
	return out
}

// isTarget reports whether a link may put a record in the place of another.
func isTarget(r *memory.Record, about []*memory.Record) bool {
	return slices.ContainsFunc(about, func(c *memory.Record) bool {
		l, ok := c.Body.(*memory.Link)
		return ok && l.Relation == memory.Update && l.Target == r.Ref()
	})
}

// succession is what takes the place of what, as far as it was asked.
type succession struct {
	look  Look
	now   time.Time
	who   Voices
	nodes map[memory.ID]*node
}

type node struct {
	f     *folding // nil where the record is not held
	next  []successor
	about []*memory.Record // where it is not held
}

func (q *succession) node(ref memory.Ref) (*node, error) {
	if n := q.nodes[ref.ID]; n != nil {
		return n, nil
	}
	r, about, err := q.look(ref)
	if err != nil {
		return nil, err
	}
	n := &node{about: about}
	if r != nil {
		n.f = folded(r, about, q.now, q.who)
		n.next = n.f.successors()
	}
	q.nodes[ref.ID] = n
	return n, nil
}

// holds reports whether a successor holds against what it replaces.
func (q *succession) holds(s successor) (bool, error) {
	n, err := q.node(s.to)
	if err != nil {
		return false, err
	}
	_, linked := s.by.Body.(*memory.Link)
	linked = linked && q.who.Voice(s.by).Owner
	apart := n.f != nil && q.apart(s)
	if n.f == nil {
		return !linked || !q.purged(n.about, s.by), nil // what a purged revision replaced stays replaced
	}
	d := &n.f.said
	switch {
	case n.f.s.Review == ReviewRejected && !q.oneStory(s.by, d.Rejected):
		return false, nil
	case n.f.s.Quarantined && !q.oneStory(s.by, n.f.hidden):
		return false, nil
	case apart && n.f.s.Forgotten && d.Forgotten.Header.Provenance.Context == takenBack:
		return false, nil
	case (linked || apart) && n.f.s.Forgotten && !q.oneStory(s.by, d.Forgotten):
		// what a person hides in their own store alone decides nothing
		return !May(q.who.Voice(d.Forgotten), n.f.r, q.who), nil
	}
	return true, nil
}

// takenBack is the context of what an undo says. Of two spaces it is said of the new memory alone: the old one is not
// said again, as it is current elsewhere.
const takenBack = "undo"

// apart reports whether a link puts a memory in the place of one of another space.
func (q *succession) apart(s successor) bool {
	l, ok := s.by.Body.(*memory.Link)
	if !ok {
		return false
	}
	from := q.nodes[l.Source.ID]
	return from != nil && from.f != nil && from.f.r.Header.Space != s.by.Header.Space
}

// purged reports whether others than the one who put a record in the place of another purged it.
func (q *succession) purged(about []*memory.Record, by *memory.Record) bool {
	others := false
	for _, c := range about {
		m, ok := c.Body.(*memory.Mark)
		if !ok || m.Verb != memory.Purge || !q.who.Voice(c).Owner || c.Header.At.Time().After(q.now.Add(aheadBy)) {
			continue
		}
		if q.oneStory(by, c) {
			return false
		}
		others = true
	}
	return others
}

// oneStory reports whether one person put a record in the place of another, and later decided
// against it. A decision that names the link which the first one replaces was made beside it: it
// chose between the same two.
func (q *succession) oneStory(by, against *memory.Record) bool {
	if against == nil || latestLast(by, against) > 0 {
		return false
	}
	if _, linked := by.Body.(*memory.Link); linked && slices.ContainsFunc(
		memory.Subjects(against.Body), func(s memory.Ref) bool { return contains(by.Header.Provenance.Supersedes, s.ID) },
	) {
		return false
	}
	a, b := q.who.Voice(by), q.who.Voice(against)
	return a.Owner && b.Owner && a.Principal != "" && a.Principal == b.Principal
}

// replaces returns what takes the place of a record, zero if nothing does.
func (q *succession) replaces(r *memory.Record, first []successor, target bool) (memory.ID, error) {
	winner := memory.ID{}
	var circle map[memory.ID]bool
	if target {
		var err error
		if circle, err = q.circle(r.ID, first); err != nil {
			return memory.ID{}, err
		}
		if len(circle) > 0 {
			if winner, err = q.last(circle); err != nil {
				return memory.ID{}, err
			}
		}
	}
	for _, s := range first {
		var leads bool
		_, err := q.walk(s, map[memory.ID]bool{r.ID: true}, func(s successor) (stop bool, err error) {
			if s.to.ID == r.ID || winner == r.ID && circle[s.to.ID] {
				return false, nil
			}
			leads, err = q.holds(s)
			return leads, err
		})
		if err != nil || leads {
			return s.to.ID, err
		}
	}
	return memory.ID{}, nil
}

// walk calls do with a successor, with those of it and so on, until do stops. It goes on from each record once.
func (q *succession) walk(
	from successor, seen map[memory.ID]bool, do func(successor) (stop bool, err error),
) (stopped bool, err error) {
	for todo := []successor{from}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if stop, err := do(s); stop || err != nil {
			return stop, err
		}
		if seen[s.to.ID] {
			continue
		}
		seen[s.to.ID] = true
		n, err := q.node(s.to)
		if err != nil {
			return false, err
		}
		for _, next := range slices.Backward(n.next) {
			todo = append(todo, next)
		}
	}
	return false, nil
}

// circle returns the records that a record leads to and that lead back to it, none where there is
// no circle.
func (q *succession) circle(id memory.ID, first []successor) (map[memory.ID]bool, error) {
	reached := map[memory.ID]bool{}
	back := make(map[memory.ID][]memory.ID) // by what is led to
	for _, s := range first {
		if _, err := q.walk(s, reached, func(successor) (bool, error) { return false, nil }); err != nil {
			return nil, err
		}
	}
	if !reached[id] {
		return nil, nil
	}
	for from := range reached {
		for _, s := range q.nodes[from].next {
			back[s.to.ID] = append(back[s.to.ID], from)
		}
	}
	out := map[memory.ID]bool{}
	for todo := []memory.ID{id}; len(todo) > 0; todo = todo[1:] {
		if out[todo[0]] {
			continue
		}
		out[todo[0]] = true
		todo = append(todo, back[todo[0]]...)
	}
	return out, nil
}

// last returns the record that a link put last in the place of another of a circle, of those that
// hold.
func (q *succession) last(circle map[memory.ID]bool) (memory.ID, error) {
	var by *memory.Record
	var winner memory.ID
	for id := range circle {
		for _, s := range q.nodes[id].next {
			_, linked := s.by.Body.(*memory.Link)
			if !linked || !circle[s.to.ID] || by != nil && latestLast(s.by, by) < 0 {
				continue
			}
			holds, err := q.holds(s)
			if err != nil {
				return winner, err
			}
			if holds {
				by, winner = s.by, s.to.ID
			}
		}
	}
	return winner, nil
}
