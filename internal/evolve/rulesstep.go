package evolve

import (
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// step says by which sign two values, states or figures that differ are of two times, "" if by none: a later
// version, what was and what is, what was not yet.
func (c *comparison) step() string {
	switch {
	case c.n.announced:
		return "announced"
	case c.laterVersion():
		return "later version"
	case c.o.tellsPast() && c.n.verb >= 0 && !c.n.tellsPast() && c.otherMeasure():
		return "was, is"
	case c.begun():
		return "not yet, then"
	}
	return ""
}

// otherMeasure says whether both give a figure, and not the same.
func (c *comparison) otherMeasure() bool {
	for _, class := range []string{
		"number", "size", "money", "percent", "mass", "length", "volume", "duration", "frequency", "time",
	} {
		if c.unlike(class) {
			return true
		}
	}
	return false
}

// laterVersion says whether the two give one version each of one thing, the new one the higher.
func (c *comparison) laterVersion() bool {
	a, b := c.oClass["number"], c.nClass["number"]
	if len(a) != 1 || len(b) != 1 || a[0].key == b[0].key || !c.o.version(a[0]) || !c.n.version(b[0]) {
		return false
	}
	return compareVersions(a[0].key, b[0].key) < 0
}

// version says whether a number is a version: 1.2.3, v4, Go 1.21, version 2.
func (r *reading) version(t token) bool {
	if strings.HasPrefix(t.text, "v") || strings.HasPrefix(t.text, "V") || strings.Count(t.text, ".") > 1 {
		return true
	}
	for i, u := range r.tokens {
		if u.key != t.key || u.class != t.class || i == 0 {
			continue
		}
		before := r.tokens[i-1]
		return before.word == "version" || before.word == "release" || before.name && before.class == "" ||
			strings.Contains(t.text, ".") && len(before.word) > 2 && before.content && before.class == "" &&
				!verbForms()[before.word]
	}
	return false
}

// compareVersions compares by the numbers between the dots.
func compareVersions(a, b string) int {
	cut := func(s string) []string { return strings.Split(s[strings.LastIndexByte(s, ':')+1:], ".") }
	x, y := cut(a), cut(b)
	for i := range max(len(x), len(y)) {
		p, q := 0, 0
		if i < len(x) {
			p, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			q, _ = strconv.Atoi(y[i])
		}
		if p != q {
			return p - q
		}
	}
	return 0
}

// begun says whether the old text denies that something has happened so far, and the new one says that it has.
func (c *comparison) begun() bool {
	o := c.o.line()
	if !c.o.denies() || c.n.denies() {
		return false
	}
	return strings.Contains(o, " yet ") || strings.Contains(o, " not been ") || strings.Contains(o, " not started ") ||
		strings.Contains(o, " so far ")
}

// quitting words say that what follows them is over; the words after "no longer" are.
var quitting = lazy.Words(`stopped quit dropped removed abandoned ditched scrapped discontinued retired deprecated ` +
	`cancelled canceled ceased`)

// endings are phrases that say of what follows, or stands before, that it is over.
var endings = lazy.Words(`no-longer any-more anymore any-longer gave-up got-rid is-gone are-gone phased-out`)

// over says whether the new text says of what the old one says that it is over, and says nothing else in that clause.
func (c *comparison) over() string {
	n := c.n
	sign, clause := "", 0
	for i, t := range n.tokens {
		two := t.word
		if i+1 < len(n.tokens) {
			two += "-" + n.tokens[i+1].word
		}
		if endings.Has(two) || t.word == "anymore" || quitting.Has(t.word) && t.denied%2 == 0 {
			sign, clause = strings.ReplaceAll(two, "-", " "), t.clause
			if quitting.Has(t.word) {
				sign = t.word
			}
			break
		}
	}
	if sign == "" || len(c.shared) < 2 || c.o.tellsPast() || change(n, c.o) != "" || c.o.phrase() != "" {
		return ""
	}
	for _, t := range c.nOnly {
		if t.clause == clause && !verbForms()[t.word] && !changeVerbs.Has(t.word) && !quitting.Has(t.word) &&
			!period(t.class) && t.word != "longer" {
			return ""
		}
	}
	if c.family == "" && c.topical == 0 {
		return ""
	}
	return sign
}

// exchanged says whether the new text says that something the old one speaks of gave way to something else:
// from A to B, B instead of A, A was replaced by B.
func (c *comparison) exchanged() string {
	n := c.n
	for i, t := range n.tokens {
		switch t.word {
		case "from":
			if n.fromTo(c.o, i) && c.changed(i) {
				return "from"
			}
		case "instead":
			if i+2 < len(n.tokens) && n.tokens[i+1].word == "of" && c.knownAfter(i+2) {
				return "instead of"
			}
		}
	}
	return ""
}

// reached says whether both say of one thing that it is in a state, and the new one a later one: is blocked on,
// is ready.
func (c *comparison) reached(from, to string) bool {
	for _, i := range c.n.subject {
		if t := c.n.tokens[i]; c.o.said[t.key] == 0 && t.key != "" {
			return false
		}
	}
	if from == "open" || c.recurs() { // shops open and close again
		return false
	}
	return len(c.n.subject) > 0 && c.subject != apart && c.o.isIn(from) && c.n.isIn(to)
}

// isIn says whether a text says "is" of a state: not that it is ready for somebody only.
func (r *reading) isIn(state string) bool {
	for i, t := range r.tokens {
		if t.word != strings.TrimPrefix(state, "#") || i == 0 {
			continue
		}
		before := r.tokens[i-1].word
		if !copulas.Has(before) && before != "got" && !(i > 1 && copulas.Has(r.tokens[i-2].word)) {
			continue
		}
		return i+2 >= len(r.tokens) || r.tokens[i+1].word != "for" || nextSteps.Has(r.tokens[i+2].word) ||
			r.tokens[i+2].class != ""
	}
	return false
}

// nextSteps are for what work is ready next.
var nextSteps = lazy.Words(`review release merge merging testing test production use deployment deploy launch pickup ` +
	`rollout shipping delivery`)

// relocated says whether the new text says that what the old one tells a place of was moved to another.
func (c *comparison) relocated() bool {
	o, n := c.o, c.n
	if c.subject == apart || o.head == "" || o.verb < 0 || n.said[o.head] == 0 || n.supposed || c.narrower() {
		return false
	}
	at := -1
	for i, t := range n.tokens {
		if movings.Has(t.word) && t.denied%2 == 0 {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	to := false
	for _, t := range n.tokens[at+1:] {
		if to = to || t.word == "to" || t.word == "into"; !to && t.content && o.said[t.key] == 0 &&
			!strings.HasSuffix(t.word, "ly") {
			return false // something else was moved: the desk
		}
	}
	if !to {
		return false
	}
	for i := o.verb; i < len(o.tokens); i++ {
		if locating.Has(o.tokens[i].word) {
			return true
		}
	}
	return false
}

var movings = lazy.Words(`moved relocated transferred migrated extracted shifted`)

// changed says whether a word of change stands before the place in its clause.
func (c *comparison) changed(i int) bool {
	for j := i - 1; j >= 0 && c.n.tokens[j].clause == c.n.tokens[i].clause; j-- {
		if w := c.n.tokens[j].word; changeVerbs.Has(w) || w == "went" || w == "bump" {
			return true
		}
	}
	return false
}

// knownAfter says whether the next word that says something is one of the old text's.
func (c *comparison) knownAfter(i int) bool {
	for ; i < len(c.n.tokens); i++ {
		if t := c.n.tokens[i]; t.content {
			return c.o.said[t.key] != 0 && !c.o.inSubject(t.key)
		}
	}
	return false
}
