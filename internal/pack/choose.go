package pack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// How a budget is shared, in percent of its room.
const (
	queryShare = 15 // that the query may take
	entryShare = 8  // that an entry may take before others have had theirs
	clearShare = 92 // that what clearly answers may take before others are looked at
	firstShare = 50 // that the best may take to be whole where none clearly answers, none of them more than half of it
	deepShare  = 15 // of what is left then, kept for making others whole
)

const (
	clearly = 1.5 // how many times as good as the next is what clearly answers
	firsts  = 5   // entries that answer best where nothing clearly answers
)

const (
	leastEntry   = 10 // tokens that are too few for an entry
	leastPassage = 96 // that an entry may always take
	seams        = 8  // by which words may take fewer among others
	misses       = 24 // entries in a row that do not fit, after which none is tried any more
)

// A hit is a turn that answers. An entry that is no conversation is one.
type hit struct {
	entry, turn int
	score       float64
}

// A chooser chooses entries for one form. It weighs each piece once: pieces weigh together about what they
// weigh alone, and the whole is measured in the end.
type chooser struct {
	*Pack
	form     form
	made     []*made // entries as they may be shown, made when first looked at
	hits     [][]hit // of each section, the best first
	sections []tokens.Cost
	notes    []tokens.Cost // of what is said at a section of entries that did not fit
	heads    map[[2]int]tokens.Cost
	lefts    map[[2]int]tokens.Cost
	cuts     map[piecemeal]tokens.Cost
	chosen   map[int]selection // by budget
	bytes    map[bool]int      // of all that entries say, by whether they are Late
	early    bool              // what is Late waits
}

func newChooser(p *Pack, f form) *chooser {
	c := &chooser{
		Pack: p, form: f, made: make([]*made, len(p.entries)), hits: make([][]hit, len(p.order)),
		heads: map[[2]int]tokens.Cost{}, lefts: map[[2]int]tokens.Cost{}, chosen: map[int]selection{}, bytes: map[bool]int{},
		cuts: map[piecemeal]tokens.Cost{},
	}
	for sec, of := range p.order {
		for _, e := range of {
			c.hits[sec] = append(c.hits[sec], hitsOf(e, &p.entries[e])...)
			late := p.layout.Sections[sec].Late
			c.bytes[late] += len(p.entries[e].Text)
			for i := range p.entries[e].Turns {
				c.bytes[late] += len(p.entries[e].Turns[i].Text)
			}
		}
		slices.SortStableFunc(c.hits[sec], func(a, b hit) int {
			return cmp.Or(cmp.Compare(p.entries[b.entry].Priority, p.entries[a.entry].Priority), cmp.Compare(b.score, a.score))
		})
		s := &p.layout.Sections[sec]
		c.sections = append(c.sections, tokens.Of(f.section(s, true)+f.end()))
		note := tokens.Cost{}
		if s.Loud {
			note = tokens.Of(f.missed(s, len(c.hits[sec]), MaxBudget))
		}
		c.notes = append(c.notes, note)
	}
	return c
}

// hitsOf returns what of an entry answers.
func hitsOf(e int, en *Entry) []hit {
	if len(en.Turns) == 0 {
		return []hit{{e, 0, en.Score}}
	}
	var out []hit
	for i, t := range en.Turns {
		if t.Hit {
			out = append(out, hit{e, i, t.Score})
		}
	}
	return out
}

// choose returns what is shown at a budget: all that is shown at the named levels below it, and more.
func (c *chooser) choose(budget int) selection {
	s := selection{
		views: make([]view, len(c.entries)), weight: make([]tokens.Cost, len(c.entries)),
		count: make([]int, len(c.order)), sum: make([]tokens.Cost, len(c.order)), needs: make([]int, len(c.order)),
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
	c.early = false
	if c.all(&s, budget) {
		return s
	}
	if c.early = true; c.bytes[true] > 0 && c.all(&s, budget) { // but for what is late
		c.early = false
		c.fill(&s, budget, budget, -1)
		c.deepen(&s, budget, budget, len(c.entries))
		return s
	}
	for s.terse = inFull; s.terse < terseness-1 && !c.fits(&s, budget); s.terse++ {
	}
	if !s.any() {
		c.rescue(&s, budget)
	}
	room := c.room(&s, budget)
	first := max(leastPassage, room*entryShare/100)
	for sec := range c.order { // what binds is there, whatever answers
		if c.layout.Sections[sec].Loud && s.count[sec] == 0 && len(c.hits[sec]) > 0 {
			c.add(&s, sec, c.hits[sec][0], first, budget)
		}
	}
	clear := c.leads()
	if clear {
		c.deepen(&s, budget, room*clearShare/100, 1)
	}
	c.firm(&s, budget, first)
	deep := deepShare
	if c.ranked && !clear {
		c.uncut(&s, budget, room*firstShare/100, firsts)
		deep = deepShare / 3 // many answer about as well: others say more than what is beside one
	}
	wide := budget - c.room(&s, budget)*deep/100
	c.share(&s, wide, first)
	for sec := range c.order {
		if s.count[sec] == 0 && len(c.hits[sec]) > 0 && !c.held(sec) {
			c.add(&s, sec, c.hits[sec][0], first, budget)
		}
	}
	for sec := range c.order {
		if c.layout.Sections[sec].Loud {
			c.fill(&s, budget, first, sec)
		}
	}
	if c.late(&s, budget, first) {
		c.early = false
	}
	c.fill(&s, wide, first, -1)
	c.deepen(&s, budget, budget, len(c.entries))
	c.fill(&s, budget, first, -1)
	c.fill(&s, budget, budget, -1)
	c.deepen(&s, budget, budget, len(c.entries))
	if c.early {
		c.early = false
		c.fill(&s, budget, budget, -1)
		c.deepen(&s, budget, budget, len(c.entries))
	}
	return s
}

// held reports whether a section takes no place yet.
func (c *chooser) held(sec int) bool { return c.early && c.layout.Sections[sec].Late }

// late shows what is Late once all that binds is there, and what answers best. false is that it must wait.
func (c *chooser) late(s *selection, budget, most int) bool {
	some := false
	for sec, of := range c.hits {
		some = some || c.layout.Sections[sec].Late && s.count[sec] < len(of)
	}
	if !some {
		return true
	}
	for sec, of := range c.hits {
		if c.layout.Sections[sec].Binds {
			c.fill(s, budget, most, sec)
			if s.count[sec] < len(of) {
				return false
			}
		}
	}
	for _, at := range c.best(firsts) {
		if !s.views[at.entry].has(at.turn) && !c.add(s, at.section, at.hit, most, budget) {
			return false
		}
	}
	for sec := range c.hits {
		if c.layout.Sections[sec].Late {
			c.fill(s, budget, most, sec)
		}
	}
	return true
}

// leads reports whether one entry clearly answers better than the next one does.
func (c *chooser) leads() bool {
	if !c.ranked {
		return false
	}
	best := c.best(2)
	return len(best) == 1 || len(best) > 1 && best[0].score > clearly*best[1].score
}

// dense is how many bytes a token may have: ordinary text has fewer.
const dense = 6

// all shows everything if that fits.
func (c *chooser) all(s *selection, budget int) bool {
	try := s.clone()
	try.terse = inFull
	for sec := range c.order {
		if !c.held(sec) {
			try.count[sec], try.sum[sec] = len(c.hits[sec]), tokens.Cost{}
		}
	}
	left := c.cost(&try, budget)
	bytes := c.bytes[false]
	if !c.early {
		bytes += c.bytes[true]
	}
	if bytes/dense > budget {
		return false
	}
	for sec, of := range c.order {
		if c.held(sec) {
			continue
		}
		for _, e := range of {
			w := c.whole(sec, e)
			try.views[e], try.weight[e] = c.complete(e), w
			try.sum[sec] = try.sum[sec].Add(w)
			if left = left.Add(w); left.Max() > budget {
				return false
			}
		}
	}
	*s = try
	return true
}

// rescue shows the best entry of the most important section that has one, cut if need be: in the form with the most
// said of it in which a whole sentence has room, and else in the one with the most words.
func (c *chooser) rescue(s *selection, budget int) {
	for sec := range c.order {
		if len(c.hits[sec]) == 0 {
			continue
		}
		h, most := c.hits[sec][0], 0
		var best selection
		for _, bare := range []bool{false, true} {
			for terse := s.terse; terse < terseness; terse++ {
				try := s.clone()
				try.terse, try.views[h.entry].bare = terse, bare
				if !c.add(&try, sec, h, budget, budget) {
					continue
				}
				text, within := ends(try.views[h.entry])
				if !within {
					*s = try
					return
				}
				if len(text) > most {
					best, most = try, len(text)
				}
			}
		}
		if most > 0 {
			*s = best
			return
		}
	}
}

// ends returns what is shown of a cut turn, and whether it ends within a sentence.
func ends(v view) (text string, within bool) {
	for _, t := range v.turns {
		if t.cut {
			text = t.text
			within = strings.HasSuffix(text, gap) && !strings.HasSuffix(text, " "+gap)
		}
	}
	return text, within
}

// firm shows what a person decided, before what nobody decided has any place: of each section the best first, then the
// next best of each, so that many of one kind leave none of another out.
func (c *chooser) firm(s *selection, budget, most int) {
	left := make([][]hit, len(c.hits))
	missed := make([]int, len(c.hits))
	for sec, of := range c.hits {
		for _, h := range of {
			if c.entries[h.entry].Firm && !c.held(sec) && !s.views[h.entry].has(h.turn) {
				left[sec] = append(left[sec], h)
			}
		}
	}
	for some := true; some; {
		some = false
		for sec, of := range left {
			if len(of) == 0 || missed[sec] == misses {
				continue
			}
			if c.room(s, budget) < leastEntry {
				return
			}
			if some = true; !c.add(s, sec, of[0], most, budget) {
				missed[sec]++
			}
			left[sec] = of[1:]
		}
	}
}

// share returns each section its share, from its best entry down to the first that does not fit.
func (c *chooser) share(s *selection, budget, most int) {
	room := budget - c.head(s.terse, budget).Add(c.leftCost(s.terse, c.full())).Max()
	for sec, of := range c.hits {
		allowed := room * c.layout.Sections[sec].Share / 100
		for _, h := range of {
			if s.views[h.entry].has(h.turn) {
				continue
			}
			left := allowed - c.sections[sec].Add(c.notes[sec]).Add(s.sum[sec]).Max()
			if left < leastEntry || !c.add(s, sec, h, min(most, left), budget) {
				break
			}
		}
	}
}

// fill adds what answers and fits, of one section, or of all by score where the section is below 0.
func (c *chooser) fill(s *selection, budget, most, only int) {
	next := make([]int, len(c.hits))
	for missed := 0; missed < misses && c.room(s, budget) >= leastEntry; {
		best := -1
		for sec, of := range c.hits {
			for next[sec] < len(of) && s.views[of[next[sec]].entry].has(of[next[sec]].turn) {
				next[sec]++
			}
			if next[sec] == len(of) || only >= 0 && sec != only || only < 0 && c.held(sec) {
				continue
			}
			if best < 0 || c.before(of[next[sec]], c.hits[best][next[best]]) {
				best = sec
			}
		}
		if best < 0 {
			return
		}
		if c.add(s, best, c.hits[best][next[best]], most, budget) {
			missed = 0
		} else {
			missed++
		}
		next[best]++
	}
}

// before reports whether one of two in different sections takes its place first.
func (c *chooser) before(a, b hit) bool {
	if x, y := c.entries[a.entry].Firm, c.entries[b.entry].Firm; x != y {
		return x
	}
	return a.score > b.score
}

// full is the set of sections that have entries.
func (c *chooser) full() uint64 {
	set := uint64(0)
	for sec, of := range c.order {
		if len(of) > 0 && !c.layout.Sections[sec].Late {
			set |= 1 << sec
		}
	}
	return set
}
