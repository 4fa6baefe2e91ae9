package pack

import "github.com/stemma-memory/stemma/internal/tokens"

// make returns an entry as it may be shown.
func (c *chooser) make(e int) *made {
	if c.made[e] == nil {
		c.made[e] = tame(c.entries[e])
	}
	return c.made[e]
}

// line prints a view of an entry.
func (c *chooser) line(sec, e int, v view, next bool) string {
	return c.form.entry(&c.layout.Sections[sec], c.make(e).of(v), c.turns(e, v), next)
}

// turns are those of a view, as they are shown.
func (c *chooser) turns(e int, v view) []said {
	all := make([]said, len(v.turns))
	for i, s := range v.turns {
		all[i] = c.said(c.make(e), s)
		all[i].skip = i > 0 && v.turns[i-1].turn < s.turn-1
	}
	return all
}

// said is a turn as it is shown.
func (c *chooser) said(m *made, s shown) said {
	t := m.turns[s.turn]
	if !s.cut {
		return said{turn: &t.Turn, text: t.whole}
	}
	return said{turn: &t.Turn, text: s.text, cut: true, of: t.inAll()}
}

func (c *chooser) heading(terse, budget, used int) heading {
	h := heading{level: c.level, used: used, budget: budget, nameless: terse >= nameless, notice: c.notice, waits: c.waits,
		zone: c.zone, gathered: c.gathered,
		empty: len(c.entries) == 0 && len(c.omitted) == 0 && c.waits == ""}
	// a level and the budgets above it show the same of the query
	level := budget
	for _, l := range levels {
		if l.tokens <= budget {
			level = l.tokens
		}
	}
	if !h.nameless {
		h.query = cutTo(c.query, level*queryShare/100)
	}
	return h
}

func (c *chooser) omission(sec, count, needs int) Omission {
	s := &c.layout.Sections[sec]
	o := Omission{Section: s.Name, Reason: ForBudget, Count: count}
	if s.Loud {
		o.Needs = needs
	}
	return o
}

// cost returns about what a selection takes when it is printed.
func (c *chooser) cost(s *selection, budget int) tokens.Cost {
	sum, missing := c.head(s.terse, budget), uint64(0)
	for sec, of := range c.hits {
		sum = sum.Add(s.sum[sec])
		note := tokens.Cost{}
		if s.count[sec] < len(of) && !c.layout.Sections[sec].Late {
			missing |= 1 << sec
			if s.terse < inOne {
				note = c.notes[sec]
			}
		}
		if s.count[sec] > 0 || note.Max() > 0 {
			sum = sum.Add(c.sections[sec]).Add(note)
		}
	}
	return sum.Add(c.leftCost(s.terse, missing))
}

// extra is what a view takes more than what is shown of its entry.
func (c *chooser) extra(s *selection, sec, e int, v view) int {
	return c.weigh(sec, e, v).Max() - s.weight[e].Max()
}

// put shows a view of an entry if it fits.
func (c *chooser) put(s *selection, sec, e int, v view, budget int) bool {
	was, weighed, sum := s.views[e], s.weight[e], s.sum[sec]
	w := c.weigh(sec, e, v)
	s.views[e], s.weight[e], s.sum[sec] = v, w, sum.Sub(weighed).Add(w)
	fresh := len(was.turns) == 0
	if fresh {
		s.count[sec]++ // so that its section is counted
	}
	ok := c.fits(s, budget)
	if fresh {
		s.count[sec]--
	}
	if !ok {
		s.views[e], s.weight[e], s.sum[sec] = was, weighed, sum
	}
	return ok
}

// room is what is left of a budget, in tokens.
func (c *chooser) room(s *selection, budget int) int { return budget - c.cost(s, budget).Max() }

func (c *chooser) fits(s *selection, budget int) bool { return c.cost(s, budget).Max() <= budget }

// weigh returns about the tokens of a view of an entry: exactly, but for the turns of a conversation, which are
// weighed one by one.
func (c *chooser) weigh(sec, e int, v view) tokens.Cost {
	m := c.make(e)
	if len(v.turns) == 1 {
		if v.bare || v.turns[0].cut {
			key := piecemeal{e, v.turns[0], v.bare, false}
			if _, known := c.cuts[key]; !known {
				c.cuts[key] = tokens.Of(c.line(sec, e, v, true))
			}
			return c.cuts[key]
		}
		t := m.turns[v.turns[0].turn]
		if !t.weighs {
			t.alone, t.weighs = tokens.Of(c.line(sec, e, v, true)), true
		}
		return t.alone
	}
	if !m.weighs {
		m.shell, m.weighs = tokens.Of(c.form.shell(&c.layout.Sections[sec], &m.entry)), true
	}
	sum, last := m.shell, -1
	for _, s := range v.turns {
		sum = sum.Add(c.weighTurn(e, s))
		if last >= 0 && last < s.turn-1 {
			sum = sum.Add(tokens.Cost{O200k: gapCost, Cl100k: gapCost})
		}
		last = s.turn
	}
	return sum
}

// weighTurn returns the tokens of a turn among those of a conversation.
func (c *chooser) weighTurn(e int, s shown) tokens.Cost {
	m := c.make(e)
	print := func() tokens.Cost {
		w := c.said(m, s)
		return tokens.Of(c.form.turn(&w))
	}
	if s.cut {
		key := piecemeal{e, s, false, true}
		if _, known := c.cuts[key]; !known {
			c.cuts[key] = print()
		}
		return c.cuts[key]
	}
	t := m.turns[s.turn]
	if !t.weighsIn {
		t.among, t.weighsIn = print(), true
	}
	return t.among
}

// piecemeal is a turn of an entry as it is shown: alone or among others of a conversation.
type piecemeal struct {
	entry int
	shown
	bare, among bool
}

// whole returns the tokens of an entry in full.
func (c *chooser) whole(sec, e int) tokens.Cost { return c.weigh(sec, e, c.complete(e)) }

// head weighs what stands around the sections. Whatever level a pack has, it is weighed with the heaviest
// name of one: each level must choose for those below it as they choose themselves.
func (c *chooser) head(terse, budget int) tokens.Cost {
	key := [2]int{terse, budget}
	if _, known := c.heads[key]; !known {
		h := c.heading(terse, budget, budget)
		most := tokens.Of(c.form.open(h))
		for _, l := range levels {
			if c.level != "" {
				h.level = l.name
				most = larger(most, tokens.Of(c.form.open(h)))
			}
		}
		c.heads[key] = most.Add(tokens.Of(c.form.close()))
	}
	return c.heads[key]
}

func larger(a, b tokens.Cost) tokens.Cost {
	return tokens.Cost{O200k: max(a.O200k, b.O200k), Cl100k: max(a.Cl100k, b.Cl100k)}
}

// leftCost weighs what is said of omissions when the sections of a set have some, as many as can be.
func (c *chooser) leftCost(terse int, missing uint64) tokens.Cost {
	key := [2]int{terse, int(missing)}
	if _, known := c.lefts[key]; !known {
		var most []Omission
		for sec, of := range c.hits {
			if missing&(1<<sec) != 0 {
				most = append(most, c.omission(sec, len(of), MaxBudget))
			}
		}
		c.lefts[key] = tokens.Of(c.form.left(append(most, c.omitted...), terse))
	}
	return c.lefts[key]
}

// complete is the view of all that an entry says.
func (c *chooser) complete(e int) view {
	m := c.make(e)
	var v view
	for i := range m.turns {
		v.turns = append(v.turns, shown{turn: i})
	}
	return v
}
