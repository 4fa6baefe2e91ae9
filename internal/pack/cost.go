package pack

// line prints one entry, cut to at most so many characters where that is not 0.
func (c *chooser) line(sec, e, most int, next bool) string {
	if c.tamed[e].entry == nil {
		c.tamed[e] = tame(c.entries[e])
	}
	entry, cut := *c.tamed[e].entry, c.tamed[e].cut
	if most > 0 {
		text := cutText(entry.Text, most, textCost)
		cut = cut || text != entry.Text
		entry.Text = text
		if most < bare {
			entry.Kind, entry.Type, entry.Path, entry.Why, entry.At, entry.bare = "", "", "", "", "", true
		}
	}
	return c.form.entry(&c.layout.Sections[sec], &entry, cut, next)
}

func (c *chooser) heading(terse, budget, used int) heading {
	h := heading{level: c.level, used: used, budget: budget, nameless: terse >= nameless, notice: c.notice,
		gathered: c.gathered,
		empty:    len(c.entries) == 0 && len(c.omitted) == 0}
	// a level and the budgets above it show the same of the query
	level := budget
	for _, l := range levels {
		if l.tokens <= budget {
			level = l.tokens
		}
	}
	if !h.nameless {
		h.query = cutText(c.query, maxQuery, level*queryShare*token/100)
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

// cost returns at least what a selection weighs when it is printed.
func (c *chooser) cost(s *selection, budget int) int {
	sum, missing := c.head(s.terse, budget), uint64(0)
	for sec, of := range c.order {
		sum += s.weight[sec]
		note := 0
		if s.count[sec] < len(of) {
			missing |= 1 << sec
			if s.terse < inOne {
				note = c.notes[sec]
			}
		}
		if s.count[sec] > 0 || note > 0 {
			sum += c.sections[sec] + note
		}
	}
	return sum + c.leftCost(s.terse, missing)
}

// weigh returns the weight of an entry in full.
func (c *chooser) weigh(sec, e int) int {
	if c.weights[e] == 0 {
		c.weights[e] = weigh(c.line(sec, e, 0, true))
	}
	return c.weights[e]
}

// head weighs what stands around the sections. Whatever level a pack has, it is weighed with the heaviest
// name of one: each level must choose for those below it as they choose themselves.
func (c *chooser) head(terse, budget int) int {
	key := [2]int{terse, budget}
	if _, known := c.heads[key]; !known {
		h := c.heading(terse, budget, budget)
		most := weigh(c.form.open(h))
		for _, l := range levels {
			if c.level != "" {
				h.level = l.name
				most = max(most, weigh(c.form.open(h)))
			}
		}
		c.heads[key] = most + weigh(c.form.close())
	}
	return c.heads[key]
}

// leftCost weighs what is said of omissions when the sections of a set have some, as many as can be.
func (c *chooser) leftCost(terse int, missing uint64) int {
	key := [2]int{terse, int(missing)}
	if _, known := c.lefts[key]; !known {
		var most []Omission
		for sec, of := range c.order {
			if missing&(1<<sec) != 0 {
				most = append(most, c.omission(sec, len(of), MaxBudget))
			}
		}
		c.lefts[key] = weigh(c.form.left(append(most, c.omitted...), terse))
	}
	return c.lefts[key]
}
