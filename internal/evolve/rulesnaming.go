package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// named says whether one text gives its subject a name, and the other says something else of it, so that both may
// hold: the dog is called Rex, the dog is brown. A name in the other text, and two words that exclude each other, may
// be the name of now and then.
func (c *comparison) named() bool {
	o, n := c.o.names(), c.n.names()
	other := c.n
	if n {
		other = c.o
	}
	if o == n || other.verb < 0 || !copulas.Has(other.tokens[other.verb].word) {
		return false
	}
	first := true
	for _, t := range other.tokens[other.verb+1:] {
		if first && t.name || exclusives()[t.word] > 0 && c.excludes(t, other) {
			return false
		}
		first = first && !t.content && !prepositions.Has(t.word)
	}
	return true
}

// excludes says whether the text beside other has a word that excludes one of other's.
func (c *comparison) excludes(t token, other *reading) bool {
	beside := c.o
	if other == c.o {
		beside = c.n
	}
	for _, u := range beside.tokens {
		if u.key != t.key && exclusives()[u.word] == exclusives()[t.word] {
			return true
		}
	}
	return false
}

// names says whether a text says how its subject is called, or that it is called.
func (r *reading) names() bool {
	return r.verb >= 0 && r.verb+1 < len(r.tokens) && copulas.Has(r.tokens[r.verb].word) &&
		naming.Has(r.tokens[r.verb+1].word)
}

var naming = lazy.Words(`called named`)

// ofTheThing says whether the new subject is named after a thing that the old text speaks of, and only now tells of a
// change, so that both may hold: the platform team owns the gateway, the gateway team now has two members.
func (c *comparison) ofTheThing() bool {
	if c.n.person != "" || c.o.verb < 0 || !strings.HasPrefix(change(c.o, c.n), "now") || c.handed() {
		return false
	}
	om, things := c.o.keys(c.o.subject), map[string]bool{}
	for _, t := range c.o.tokens[c.o.verb+1:] {
		things[t.key] = t.content
	}
	for k, i := range c.n.subject[:max(len(c.n.subject)-1, 0)] {
		thing, kind := c.n.tokens[i].key, c.n.tokens[c.n.subject[k+1]].key // gateway, and team
		if things[thing] && !om[thing] && om[kind] {
			return true
		}
	}
	return false
}
