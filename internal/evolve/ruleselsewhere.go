package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// ofAnother says whether a change that the new text tells is of something else than what the old one says: of a house
// in another town, of XML and not of JSON, or a thing bought that replaces none.
func (c *comparison) ofAnother(r *Relation) bool {
	why, _, _ := strings.Cut(r.Reason, ":")
	switch {
	case why == "bought a" && c.family == "":
		return true
	case ending.Has(firstWord(why)) && c.otherSite():
		return true
	}
	return (strings.Contains(why, "longer") || strings.Contains(why, "more") || why == "stopped") && c.endsOther()
}

// ending are changes of one thing, which another thing of its kind does not share.
var ending = lazy.Words(`opened closed sold bought stopped ended failed cancelled demolished`)

// otherSite says whether both texts name where their thing is, and no place of one is in the other.
func (c *comparison) otherSite() bool {
	a, b := c.o.sites(), c.n.sites()
	for site := range b {
		if a[site] {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

// sites returns the names of places, hosts and the like in a text.
func (r *reading) sites() map[string]bool {
	m := map[string]bool{}
	for i, t := range r.tokens {
		if i > 0 && (t.name || strings.ContainsAny(t.word, "0123456789")) && t.class == "" &&
			siteBefore.Has(r.tokens[i-1].word) {
			m[t.key] = true
		}
	}
	return m
}

var siteBefore = lazy.Words(`in at on near host server machine node cluster`)

// endsOther says whether what ends by the new text has no object of the old one.
func (c *comparison) endsOther() bool {
	for _, key := range c.shared {
		if !c.o.inSubject(key) && !several()[key] {
			return false
		}
	}
	object := func(ts []token) bool {
		for _, t := range ts {
			if t.word != "longer" && !verbForms()[t.word] && !changeVerbs.Has(t.word) {
				return true
			}
		}
		return false
	}
	return object(c.oOnly) && object(c.nOnly)
}
