package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// toldApart says whether the two speak of two parts, two periods or two dimensions of a thing, so that both
// may hold: the first and the last movement, the rent of 2019 and that of 2022, its width and its length.
func (c *comparison) toldApart() bool {
	return otherPart(c.o, c.n) || c.otherPeriod() || c.otherDimension() || c.qualified()
}

// partWords tell parts of one thing apart, or things of one kind.
var partWords = lazy.Words(`first second third fourth fifth sixth seventh eighth ninth tenth last final opening ` +
	`closing next previous left right upper lower front rear inner outer top bottom middle`)

// otherPart says whether before their verbs both have the same noun with different words that tell parts apart.
func otherPart(o, n *reading) bool {
	a, b := o.parts(), n.parts()
	for noun, part := range a {
		if b[noun] != "" && b[noun] != part {
			return true
		}
	}
	return false
}

// parts returns the nouns before the verb that a word tells from others of their kind, with that word.
func (r *reading) parts() map[string]string {
	end := len(r.tokens)
	if r.verb >= 0 {
		end = r.verb
	}
	m := map[string]string{}
	for i := range max(end-1, 0) {
		t, next := r.tokens[i], r.tokens[i+1]
		ordinal := t.class == "ordinal"
		if (ordinal || partWords.Has(t.word)) && next.content && next.class == "" && next.clause == t.clause {
			m[next.key] = t.word
			if ordinal {
				m[next.key] = t.key
			}
		}
	}
	return m
}

// otherPeriod says whether both tell what was, or what is so as a rule, in two periods: in 2019 and in 2022, on
// Mondays and on Fridays. What differs in nothing but the period is not told apart by it.
func (c *comparison) otherPeriod() bool {
	if c.n.announced || !beyond(c.oOnly) || !beyond(c.nOnly) {
		return false
	}
	past := c.o.tellsPast() && c.n.tellsPast()
	return c.unlike("year") && past && !c.n.lasting() ||
		past && (c.unlike("month") || c.unlike("weekday") || c.unlike("date")) ||
		c.unlike("weekday") && c.o.onDays() && c.n.onDays()
}

// tellsPast says whether the verb of a text is in the past.
func (r *reading) tellsPast() bool {
	if r.bygone() {
		return true
	}
	if r.verb < 0 {
		return false
	}
	w := r.tokens[r.verb].word
	return irregularPast.Has(w) || changeVerbs.Has(w) && strings.HasSuffix(w, "ed")
}

var irregularPast = lazy.Words(`fell rose came went won wrote began sold bought lost had did made met paid ran spent ` +
	`stood took taught told grew sank shrank brought broke caught chose drew drove ate felt found flew gave held kept ` +
	`knew led left lent meant sang sat sent slept spoke swam threw wore cost`)

// beyond says whether something other than a period is among some words.
func beyond(ts []token) bool {
	return slices.ContainsFunc(ts, func(t token) bool { return !period(t.class) })
}

func period(class string) bool {
	return class == "year" || class == "month" || class == "weekday" || class == "date"
}

// unlike says whether both have values of a class and share none.
func (c *comparison) unlike(class string) bool {
	return len(c.oClass[class]) > 0 && len(c.nClass[class]) > 0 &&
		!slices.ContainsFunc(c.nClass[class], func(t token) bool { return c.o.said[t.key] != 0 })
}

// onDays says whether a text speaks of days that come again: on Mondays.
func (r *reading) onDays() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		return t.class == "weekday" && strings.HasSuffix(t.word, "days")
	})
}

// dimensions are the words after a length that say which one it is.
var dimensions = lazy.Words(`wide long high deep tall thick broad across away apart`)

// otherDimension says whether two lengths are of two dimensions.
func (c *comparison) otherDimension() bool {
	a, b := c.o.dimension(), c.n.dimension()
	return a != "" && b != "" && a != b
}

func (r *reading) dimension() string {
	for i, t := range r.tokens {
		if t.class == "length" && i+1 < len(r.tokens) && dimensions.Has(r.tokens[i+1].word) {
			return r.tokens[i+1].word
		}
	}
	return ""
}

// aside says whether the two speak of two things that have no more in common than one word: the timeout of the
// queue, a test of the queue.
func (c *comparison) aside() bool {
	o, n := c.o, c.n
	return c.subject == unsure && len(c.shared) == 1 && c.family == "" && o.head != "" && n.head != "" &&
		n.said[o.head] == 0 && o.said[n.head] == 0 && len(c.nOnly) > 1
}
