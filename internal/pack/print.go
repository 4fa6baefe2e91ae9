package pack

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// left lists everything that is not shown.
func (c *chooser) left(s *selection) []Omission {
	var list []Omission
	late := 0
	for sec, of := range c.hits {
		switch missing := len(of) - s.count[sec]; {
		case c.layout.Sections[sec].Late:
			late += missing
		case missing > 0:
			list = append(list, c.omission(sec, missing, s.needs[sec]))
		}
	}
	return append(list, c.less(late)...)
}

// less returns what the caller left out. Guesses that had no room are counted with what is less relevant, if that is
// counted: to name them takes no place from what answers.
func (c *chooser) less(guesses int) []Omission {
	out := slices.Clone(c.omitted)
	for i := range out {
		if out[i].Reason == LessRelevant {
			out[i].Count += guesses
			break
		}
	}
	return out
}

// print prints a selection within the budget and says what it used. The pieces were weighed one by one;
// the whole is measured, and gives up more should it be over all the same.
func (c *chooser) print(s *selection) (body []byte, used int) {
	for {
		if body, used = c.measured(s); used <= c.budget {
			return body, used
		}
		if !c.shrink(s) {
			return body, used
		}
	}
}

// shrink says less of omissions, or shows one entry less; false means there is nothing to give up.
func (c *chooser) shrink(s *selection) bool {
	if s.terse < terseness-1 {
		s.terse++
		return true
	}
	for sec := len(c.order) - 1; sec >= 0; sec-- {
		for rank := len(c.order[sec]) - 1; rank >= 0; rank-- {
			e := c.order[sec][rank]
			if v := s.views[e]; len(v.turns) > 0 {
				s.views[e].turns = v.turns[: len(v.turns)-1 : len(v.turns)-1]
				c.recount(s, sec)
				return true
			}
		}
	}
	return false
}

// measured prints a selection with the number of tokens that it has with that number in it. A larger
// number never takes fewer tokens, so that the numbers tried rise to the right one.
func (c *chooser) measured(s *selection) ([]byte, int) {
	rest := c.rest(s)
	count := tokens.Before(rest)
	for used := 0; ; {
		begin := c.form.open(c.heading(s.terse, c.budget, used))
		now := count(begin)
		if now == used {
			return []byte(begin + rest), used
		}
		used = now
	}
}

// rest is everything behind the heading.
func (c *chooser) rest(s *selection) string {
	var b strings.Builder
	begun := false
	for sec, of := range c.order {
		section := &c.layout.Sections[sec]
		note := ""
		if missing := len(c.hits[sec]) - s.count[sec]; section.Loud && missing > 0 && s.terse < inOne {
			note = c.form.missed(section, missing, s.needs[sec])
		}
		if s.count[sec] == 0 && note == "" {
			continue
		}
		b.WriteString(c.form.section(section, begun))
		begun = true
		next := false
		for _, e := range of {
			if v := s.views[e]; len(v.turns) > 0 {
				b.WriteString(c.line(sec, e, v, next))
				next = true
			}
		}
		b.WriteString(note)
		b.WriteString(c.form.end())
	}
	b.WriteString(c.form.left(c.left(s), s.terse))
	b.WriteString(c.form.close())
	return b.String()
}

// ask finds for each section that binds the reader a budget that would hold all of it.
func (c *chooser) ask(s *selection) {
	for sec := range c.order {
		if c.layout.Sections[sec].Loud && s.count[sec] < len(c.hits[sec]) {
			s.needs[sec] = c.enough(sec, s)
		}
	}
}

// enough looks for a budget that holds all entries of a section, to a round number; 0 is none.
func (c *chooser) enough(sec int, s *selection) int {
	const (
		round = 10
		steps = 8
		some  = 5 // percent by which it grows
	)
	budget := c.budget
	for _, e := range c.order[sec] {
		if !c.isWhole(e, s.views[e]) {
			budget += c.whole(sec, e).Max()
		}
	}
	for range steps {
		if budget = (budget + round - 1) / round * round; budget > MaxBudget {
			break
		}
		if at := c.choose(budget); at.count[sec] == len(c.hits[sec]) {
			return budget
		}
		budget += budget*some/100 + round
	}
	if at := c.choose(MaxBudget); at.count[sec] == len(c.hits[sec]) {
		return MaxBudget
	}
	return 0
}
