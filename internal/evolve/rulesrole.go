package evolve

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// otherRole says whether the two differ only in what two unlike prepositions lead to, so that both may hold: tests run
// with pytest, tests run in CI; a time is no place: he works at Acme, he works on Mondays.
func (c *comparison) otherRole() bool {
	if c.subject != same && !(c.o.ours() && c.n.ours()) || change(c.o, c.n) != "" || c.o.exclusive() || c.n.exclusive() ||
		c.o.mainVerb() != c.n.mainVerb() || c.step() != "" {
		return false
	}
	a, b := c.o.roles(c.oOnly), c.n.roles(c.nOnly)
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(r string) bool { return slices.Contains(b, r) })
}

// means are prepositions that say of one thing by what it is done.
var means = lazy.Words(`with using via through`)

// roles returns what leads to these words: prepositions by their group, and for places the kind of time that they speak
// of. It is nil if a word is led by none.
func (r *reading) roles(only []token) (all []string) {
	for _, t := range only {
		p := r.ledBy(t)
		switch {
		case p == "" && verbForms()[t.word] && t.class == "":
			continue
		case p == "":
			return nil
		case p == "in":
			p += " " + r.when(t)
		}
		all = append(all, p)
	}
	return all
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

// when says of which kind of time a word speaks, "" if of none: on every push, at 10.
func (r *reading) when(t token) string {
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
	return ""
}
