package pack

// add shows what answers, whole if that takes at most so many tokens, and else around what answers.
func (c *chooser) add(s *selection, sec int, h hit, most, budget int) bool {
	v := s.views[h.entry]
	if v.has(h.turn) {
		return false
	}
	if whole := v.with(shown{turn: h.turn}); c.make(h.entry).turns[h.turn].mayFit(most+seams) &&
		c.extra(s, sec, h.entry, whole) <= most && c.put(s, sec, h.entry, whole, budget) {
		s.count[sec]++
		return true
	}
	if c.cut(s, sec, h.entry, h.turn, most, budget) {
		s.count[sec]++
		return true
	}
	return false
}

// cut shows a turn cut to at most so many tokens.
func (c *chooser) cut(s *selection, sec, e, turn, most, budget int) bool {
	const tries = 4
	before := s.views[e]
	t := c.make(e).turns[turn]
	shell := c.extra(s, sec, e, before.with(shown{turn, true, gap}))
	most = min(most, c.room(s, budget))
	if len(before.turns) == 0 && s.count[sec] == 0 {
		most -= c.sections[sec].Max()
	}
	room := most - shell
	for range tries {
		if room < leastLine {
			return false
		}
		text := t.passage(c.asked, room)
		if text == "" || text == gap {
			return false
		}
		v := before.with(shown{turn, true, text})
		over := c.extra(s, sec, e, v) - most
		if over <= 0 && c.put(s, sec, e, v, budget) {
			return true
		}
		room -= max(over, 1) + room/16
	}
	return false
}
