package pack

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// deepen makes entries whole, or shows more of them, the best first: at most so many entries, and at most so many
// tokens more.
func (c *chooser) deepen(s *selection, budget, more, most int) {
	start := c.room(s, budget)
	for _, at := range c.best(most) {
		e, sec := at.entry, at.section
		room := c.room(s, budget)
		allowed := min(room, more-(start-room))
		if allowed < leastEntry {
			return
		}
		within := budget - room + allowed
		if len(s.views[e].turns) == 0 {
			if most > 1 || !c.add(s, sec, at.hit, allowed, within) {
				continue
			}
		}
		if s.views[e].bare { // there may be room for more about it now
			c.put(s, sec, e, view{turns: s.views[e].turns}, within)
		}
		if c.isWhole(e, s.views[e]) {
			continue
		}
		if c.mayBeWhole(e, allowed+s.weight[e].Max()) && c.put(s, sec, e, c.complete(e), within) {
			c.recount(s, sec)
			continue
		}
		c.extend(s, sec, e, within)
		c.recount(s, sec)
	}
}

// uncut shows what answers best whole, each that takes at most half of so many tokens: at most so many entries.
func (c *chooser) uncut(s *selection, budget, more, most int) {
	start := c.room(s, budget)
	for _, at := range c.best(most) {
		e, sec, turn := at.entry, at.section, at.turn
		allowed := more - (start - c.room(s, budget))
		if allowed < leastEntry {
			return
		}
		v := s.views[e].with(shown{turn: turn})
		if c.extra(s, sec, e, v) <= min(allowed, more/2) && c.put(s, sec, e, v, budget) {
			c.recount(s, sec)
		}
	}
}

// isWhole reports whether a view shows all of an entry.
func (c *chooser) isWhole(e int, v view) bool {
	return len(v.turns) == len(c.make(e).turns) && !slices.ContainsFunc(v.turns, func(s shown) bool { return s.cut })
}

// mayBeWhole reports whether all of an entry may have at most so many tokens. It weighs no more than it takes to know.
func (c *chooser) mayBeWhole(e, most int) bool {
	turns := c.make(e).turns
	if len(turns) == 1 {
		return turns[0].mayFit(most + seams)
	}
	for i := range turns {
		if !turns[i].mayFit(most + seams) {
			return false
		}
		if most -= c.weighTurn(e, shown{turn: i}).Max() - seams; most < 0 {
			return false
		}
	}
	return true
}

// recount counts what is shown of what answers in a section.
func (c *chooser) recount(s *selection, sec int) {
	s.count[sec] = 0
	for _, h := range c.hits[sec] {
		if s.views[h.entry].has(h.turn) {
			s.count[sec]++
		}
	}
}

// placed is an entry with where it belongs.
type placed struct {
	hit
	section int
}

// best returns so many entries, those to be made whole first ahead.
func (c *chooser) best(most int) []placed {
	var out []placed
	for sec, of := range c.hits {
		if c.held(sec) {
			continue
		}
		seen := make(map[int]bool)
		for _, h := range of {
			if !seen[h.entry] {
				seen[h.entry] = true
				out = append(out, placed{h, sec})
			}
		}
	}
	if c.ranked {
		slices.SortStableFunc(out, func(a, b placed) int { return cmp.Compare(b.score, a.score) })
	}
	return out[:min(most, len(out))]
}

// extend shows as much more of an entry as fits: first the turns that were cut, then those beside what answers.
func (c *chooser) extend(s *selection, sec, e, budget int) {
	for _, t := range slices.Clone(s.views[e].turns) {
		if !t.cut || c.put(s, sec, e, s.views[e].with(shown{turn: t.turn}), budget) {
			continue
		}
		c.recut(s, sec, e, t.turn, budget)
	}
	order := c.beside(e, s.views[e])
	fit := 0 // how many more turns fit
	for fit < len(order) && c.put(s, sec, e, s.views[e].with(shown{turn: order[fit]}), budget) {
		fit++
	}
	if fit < len(order) && c.room(s, budget) >= 2*leastEntry {
		c.cut(s, sec, e, order[fit], c.room(s, budget), budget)
	}
}

// recut shows more of a turn that is cut.
func (c *chooser) recut(s *selection, sec, e, turn, budget int) {
	try := s.clone()
	without := try.views[e]
	without.turns = slices.DeleteFunc(slices.Clone(without.turns), func(o shown) bool { return o.turn == turn })
	weight := tokens.Cost{}
	if len(without.turns) > 0 {
		weight = c.weigh(sec, e, without)
	}
	try.sum[sec] = try.sum[sec].Sub(try.weight[e]).Add(weight)
	try.views[e], try.weight[e] = without, weight
	if c.cut(&try, sec, e, turn, c.room(&try, budget), budget) && try.weight[e].Max() > s.weight[e].Max() {
		*s = try
	}
}

// beside returns the turns of a conversation that are not shown, those that are needed most ahead: what is right after
// and before the turn that answers best, and what the conversation came to, from the last turn that bears on the
// question back. A person's words come before a program's.
func (c *chooser) beside(e int, v view) []int {
	turns := c.make(e).turns
	best, last := 0, 0
	for i, t := range turns {
		if t.Hit {
			last = i
			if !turns[best].Hit || t.Score > turns[best].Score {
				best = i
			}
		}
	}
	type distant struct{ turn, far int }
	var out []distant
	for i := range turns {
		if v.has(i) {
			continue
		}
		far := min(from(best, i), from(last, i)+1)
		if turns[i].Person {
			far--
		}
		out = append(out, distant{i, far})
	}
	slices.SortStableFunc(out, func(a, b distant) int { return cmp.Or(a.far-b.far, b.turn-a.turn) })
	order := make([]int, len(out))
	for i, d := range out {
		order[i] = d.turn
	}
	return order
}

// from is how far one turn is from another, those after it nearer.
func from(turn, other int) int {
	if other > turn {
		return 2*(other-turn) - 1
	}
	return 2 * (turn - other)
}
