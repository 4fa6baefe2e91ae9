package evolve

import "github.com/stemma-memory/stemma/internal/lazy"

// otherRole says whether the two differ only in what two unlike prepositions lead to, so that both may hold: tests run
// with pytest, tests run in CI; a time is no place: he works at Acme, he works on Mondays.
func (c *comparison) otherRole() bool {
	if c.subject != same && !(c.o.ours() && c.n.ours()) || change(c.o, c.n) != "" || c.o.exclusive() || c.n.exclusive() ||
		c.o.mainVerb() != c.n.mainVerb() || c.step() != "" {
		return false
	}
	a, o := c.o.role(c.oOnly)
	b, n := c.n.role(c.nOnly)
	if a == "" || b == "" {
		return false
	}
	if a == b && places.Has(a) {
		return c.o.when(o) != c.n.when(n)
	}
	return a != b
}

// places are prepositions that lead to a place as well as to a time. Their first one stands for all.
var places = lazy.Words(`in`)

// means are prepositions that say of one thing by what it is done.
var means = lazy.Words(`with using via through`)

// role returns the one preposition that leads to all these words, by its group, and the words. It is "" if they are
// led by none, or by several.
func (r *reading) role(only []token) (string, []token) {
	role := ""
	for _, t := range only {
		p := r.ledBy(t)
		if p == "" && verbForms()[t.word] && t.class == "" {
			continue
		}
		if p == "" || role != "" && role != p {
			return "", nil
		}
		role = p
	}
	return role, only
}

// ledBy returns the preposition right before a word and what describes it, by its group, "" if there is none.
func (r *reading) ledBy(t token) string {
	for i, u := range r.tokens {
		if u.key != t.key || !u.content {
			continue
		}
		for j := i - 1; j > r.verb && j > 0 && r.tokens[j].clause == u.clause; j-- {
			w := r.tokens[j].word
			switch {
			case w == "in" || w == "on" || w == "at" || w == "under" || w == "inside" || w == "within":
				return "in"
			case means.Has(w):
				return "with"
			case w == "into" || w == "onto":
				return "to"
			case w == "upon":
				return "in"
			case w == "before" || w == "after" || w == "until" || w == "of":
				return ""
			case prepositions.Has(w):
				return w
			case verbForms()[w] && r.tokens[j].class == "":
				return ""
			}
		}
		return ""
	}
	return ""
}

// when says of which kind of time some words speak, "" if of none: on every push, at 10.
func (r *reading) when(ts []token) string {
	for _, t := range ts {
		switch t.class {
		case "weekday", "date", "month", "year", "daypart", "time", "duration":
			return t.class
		}
		for i, u := range r.tokens {
			if i == 0 || u.key != t.key || u.class != t.class {
				continue
			}
			switch before := r.tokens[i-1].word; {
			case before == "every" || before == "each":
				return "frequency"
			case before == "at" && t.class == "number":
				return "time"
			}
		}
	}
	return ""
}
