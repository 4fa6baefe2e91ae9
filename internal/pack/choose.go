package pack

import (
	"maps"
	"slices"
)

const (
	leastEntry = 8 * token // a remainder that no entry fits in
	misses     = 24        // entries in a row that do not fit, after which none is tried any more
	queryShare = 15        // percent of a budget that a query may take
)

// cuts are the lengths that the one entry which must be shown is cut to, the first that fits; those under
// bare lose their path and most of what else is said of them too.
var cuts = [...]int{160, 120, 80, 60, 40, 24, 16, 10}

const bare = 60

// A selection says what is shown.
type selection struct {
	shown  [][]bool    // of each section, by rank
	count  []int       // of each section
	weight []int       // of each section's entries
	limit  map[int]int // lengths of entries that had to be cut
	terse  int
	needs  []int // of each section, the budget that would hold all of it, if asked and known
}

func (s *selection) clone() selection {
	c := selection{count: slices.Clone(s.count), weight: slices.Clone(s.weight), limit: maps.Clone(s.limit),
		terse: s.terse, needs: slices.Clone(s.needs)}
	for _, of := range s.shown {
		c.shown = append(c.shown, slices.Clone(of))
	}
	return c
}

func (s *selection) any() bool {
	return slices.ContainsFunc(s.count, func(n int) bool { return n > 0 })
}

// A chooser chooses entries for one form. It weighs each piece once: pieces weigh together at most the sum
// of what they weigh alone, since each begins and ends with a mark or a line's end.
type chooser struct {
	*Pack
	form     form
	tamed    []tamed // entries as they may be shown, made when first looked at
	weights  []int   // of entries in full, 0 when not weighed yet
	sections []int   // of what stands around a section's entries
	notes    []int   // of what is said at a section of entries that did not fit
	heads    map[[2]int]int
	lefts    map[[2]int]int
	chosen   map[int]selection // by budget
}

func newChooser(p *Pack, f form) *chooser {
	c := &chooser{Pack: p, form: f, tamed: make([]tamed, len(p.entries)), weights: make([]int, len(p.entries)),
		heads: map[[2]int]int{}, lefts: map[[2]int]int{}, chosen: map[int]selection{}}
	for i := range p.layout.Sections {
		s := &p.layout.Sections[i]
		c.sections = append(c.sections, weigh(f.section(s, true))+weigh(f.end()))
		note := 0
		if s.Loud {
			note = weigh(f.missed(s, len(p.order[i]), MaxBudget))
		}
		c.notes = append(c.notes, note)
	}
	return c
}

// choose returns what is shown at a budget: all that is shown at the named levels below it, and more.
func (c *chooser) choose(budget int) selection {
	s := selection{
		limit: map[int]int{}, count: make([]int, len(c.order)), weight: make([]int, len(c.order)),
		needs: make([]int, len(c.order)),
	}
	for _, of := range c.order {
		s.shown = append(s.shown, make([]bool, len(of)))
	}
	for _, level := range levels {
		if level.tokens >= budget {
			break
		}
		if _, known := c.chosen[level.tokens]; !known {
			c.chosen[level.tokens] = c.grow(s, level.tokens)
		}
		s = c.chosen[level.tokens]
	}
	return c.grow(s, budget)
}

// grow adds to a selection what else a budget holds.
func (c *chooser) grow(base selection, budget int) selection {
	s := base.clone()
	if c.all(&s, budget) {
		return s
	}
	for s.terse = inFull; s.terse < terseness-1 && !c.fits(&s, budget); s.terse++ {
	}
	c.restore(&s, budget)
	if !s.any() {
		c.rescue(&s, budget)
	}
	c.share(&s, budget)
	for sec := range c.order {
		if s.count[sec] == 0 && len(c.order[sec]) > 0 {
			c.add(&s, sec, 0, budget)
		}
	}
	for sec := range c.order {
		if c.layout.Sections[sec].Loud {
			c.fill(&s, budget, sec)
		}
	}
	c.fill(&s, budget, -1)
	return s
}

// all shows everything if that fits.
func (c *chooser) all(s *selection, budget int) bool {
	try := s.clone()
	try.terse, try.limit = inFull, map[int]int{}
	for sec, of := range c.order {
		try.count[sec], try.weight[sec] = len(of), 0
	}
	room := c.room(budget) - c.cost(&try, budget)
	for sec, of := range c.order {
		for rank, e := range of {
			try.shown[sec][rank] = true
			try.weight[sec] += c.weigh(sec, e)
			if room -= c.weigh(sec, e); room < 0 {
				return false
			}
		}
	}
	*s = try
	return true
}

// restore shows in full what a smaller budget had to cut, if it fits.
func (c *chooser) restore(s *selection, budget int) {
	for sec, of := range c.order {
		for rank, e := range of {
			at, cut := s.limit[e]
			if !cut || !s.shown[sec][rank] {
				continue
			}
			before := s.weight[sec]
			s.weight[sec] += c.weigh(sec, e) - weigh(c.line(sec, e, at, true))
			if delete(s.limit, e); !c.fits(s, budget) {
				s.weight[sec], s.limit[e] = before, at
			}
		}
	}
}

// rescue shows the best entry of the most important section that has one, cut if need be.
func (c *chooser) rescue(s *selection, budget int) {
	start := s.terse
	for sec, of := range c.order {
		if len(of) == 0 {
			continue
		}
		for s.terse = start; s.terse < terseness; s.terse++ {
			if c.add(s, sec, 0, budget) {
				return
			}
			for _, most := range cuts {
				if c.put(s, sec, 0, budget, weigh(c.line(sec, of[0], most, true))) {
					s.limit[of[0]] = most
					return
				}
			}
		}
	}
	s.terse = start
}

// share returns each section its share, from its best entry down to the first that does not fit.
func (c *chooser) share(s *selection, budget int) {
	room := c.room(budget) - c.head(s.terse, budget) - c.leftCost(s.terse, c.full())
	for sec, of := range c.order {
		allowed := room * c.layout.Sections[sec].Share / 100
		for rank, e := range of {
			if s.shown[sec][rank] {
				continue
			}
			if c.sections[sec]+c.notes[sec]+s.weight[sec]+c.weigh(sec, e) > allowed || !c.add(s, sec, rank, budget) {
				break
			}
		}
	}
}

// fill adds entries that fit, of one section, or of all by score where the section is below 0.
func (c *chooser) fill(s *selection, budget, only int) {
	next := make([]int, len(c.order))
	for missed := 0; missed < misses && c.room(budget)-c.cost(s, budget) >= leastEntry; {
		best := -1
		for sec, of := range c.order {
			for next[sec] < len(of) && s.shown[sec][next[sec]] {
				next[sec]++
			}
			if next[sec] == len(of) || only >= 0 && sec != only {
				continue
			}
			if best < 0 || c.score(sec, next[sec]) > c.score(best, next[best]) {
				best = sec
			}
		}
		if best < 0 {
			return
		}
		if c.add(s, best, next[best], budget) {
			missed = 0
		} else {
			missed++
		}
		next[best]++
	}
}

func (c *chooser) score(sec, rank int) float64 { return c.entries[c.order[sec][rank]].Score }

// add shows one more entry in full if it fits.
func (c *chooser) add(s *selection, sec, rank, budget int) bool {
	return c.put(s, sec, rank, budget, c.weigh(sec, c.order[sec][rank]))
}

func (c *chooser) put(s *selection, sec, rank, budget, weight int) bool {
	if s.shown[sec][rank] {
		return false
	}
	s.shown[sec][rank] = true
	s.count[sec]++
	s.weight[sec] += weight
	if c.fits(s, budget) {
		return true
	}
	s.shown[sec][rank] = false
	s.count[sec]--
	s.weight[sec] -= weight
	return false
}

// room is what a budget holds in hundredths of a token.
func (c *chooser) room(budget int) int { return budget*token - slack }

func (c *chooser) fits(s *selection, budget int) bool { return c.cost(s, budget) <= c.room(budget) }

// full is the set of sections that have entries.
func (c *chooser) full() uint64 {
	set := uint64(0)
	for sec, of := range c.order {
		if len(of) > 0 {
			set |= 1 << sec
		}
	}
	return set
}
