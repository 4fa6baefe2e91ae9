package evolve

import (
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// bothMayHold says whether two texts that say something unlike of one thing may both be true: it takes many objects,
// has other things counted, or holds for another use.
func (c *comparison) bothMayHold() bool {
	if c.o.denies() || c.n.denies() || c.o.exclusive() || c.n.exclusive() || c.flips() != "" {
		return false
	}
	return c.listed() || c.countsOther() || c.forOther() || c.peopleUse() || c.doneToOther()
}

// listed says whether the two have only their subject and one verb in common, a verb that takes many objects: the
// cache holds sessions, the cache holds images.
func (c *comparison) listed() bool {
	p, ok := c.place()
	if !ok || p.led || p.after > 0 {
		return false
	}
	for class := range c.nClass {
		if len(c.oClass[class]) > 0 {
			return false
		}
	}
	many := c.o.has() && c.n.has()
	for _, key := range c.shared {
		switch {
		case c.o.inSubject(key) && c.n.inSubject(key):
		case lists()[key]:
			many = true
		case !beginning.Has(key):
			return false
		}
	}
	return many && !c.o.passive() && !c.n.passive()
}

// has says whether the verb of a text is "has".
func (r *reading) has() bool {
	return r.verb >= 0 && (r.tokens[r.verb].word == "has" || r.tokens[r.verb].word == "have")
}

// countsOther says whether both have one number, of other things: 20 chairs, 5 tables.
func (c *comparison) countsOther() bool {
	if len(c.oClass["number"]) != 1 || len(c.nClass["number"]) != 1 {
		return false
	}
	a, b := c.o.counted(), c.n.counted()
	return a != "" && b != "" && a != b && !(rates.Has(a) && rates.Has(b)) && c.n.said[a] == 0 && c.o.said[b] == 0
}

// rates are the keys of words for requests, which are counted by any of them.
var rates = lazy.Words(`rps qps request requests req query queri call hit connect`)

// counted returns the key of the word right behind the number of a text.
func (r *reading) counted() string {
	for i, t := range r.tokens {
		if t.class != "number" || i+1 >= len(r.tokens) || i == 0 {
			continue
		}
		if next := r.tokens[i+1]; next.content && next.class == "" && next.clause == t.clause && i+1 != r.verb {
			return next.key
		}
	}
	return ""
}

// forOther says whether both end by naming what it is for, and not the same: port 80 for pages, port 90 for metrics.
func (c *comparison) forOther() bool {
	a, b := c.o.purpose(), c.n.purpose()
	return a != "" && b != "" && a != b && (c.n.said[a] == 0 || c.o.said[b] == 0)
}

// peopleUse says whether both tell what a group of people uses, or which kinds of things are used, of which there is
// more than one: a team uses Go, and Python; a job runs tests, and linters.
func (c *comparison) peopleUse() bool {
	p, ok := c.place()
	if !ok || p.led || p.after > 0 || !(c.o.uses() && c.o.group() && c.n.group() ||
		(c.o.uses() || c.o.mainVerb() == stemOf("runs")) && bare(p.o) && bare(p.n)) {
		return false
	}
	for _, t := range p.o {
		for _, u := range p.n {
			if k := exclusives()[t.word]; k > 0 && k == exclusives()[u.word] {
				return false // tabs, spaces
			}
		}
	}
	return true
}

func (r *reading) uses() bool {
	verb := r.mainVerb()
	return verb == stemOf("uses") || verb == "=use"
}

// bare says whether some words are one plural: linters.
func bare(ts []token) bool {
	w := ts[0].word
	return len(ts) == 1 && len(w) > 3 && !ts[0].name && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// group says whether the subject of a text is a group of people, or those who say it.
func (r *reading) group() bool {
	if r.ours() {
		return true
	}
	for _, i := range r.subject {
		if t := r.tokens[i]; t.key == r.head && (deciders.Has(t.word) || groups.Has(t.word)) {
			return true
		}
	}
	return false
}

var groups = lazy.Words(
	`teams developers engineers designers devs department office organisation organization squad guild`,
)

// doneToOther says whether what is done so often, so long or by so much is done to other things: uploads are tried
// three times, webhooks five times.
func (c *comparison) doneToOther() bool {
	a, b := c.o.doneTo(), c.n.doneTo()
	if a == "" || b == "" || a == b || c.n.said[a] != 0 || c.o.said[b] != 0 {
		return false
	}
	for _, class := range []string{"number", "duration", "frequency", "size", "percent"} {
		if len(c.oClass[class]) == 1 && len(c.nClass[class]) == 1 {
			return true
		}
	}
	return false
}

// doneTo returns the key of the last noun between the verb of a text and its first figure.
func (r *reading) doneTo() string {
	if r.verb < 0 || copulas.Has(r.tokens[r.verb].word) {
		return ""
	}
	noun := ""
	for _, t := range r.tokens[r.verb+1:] {
		switch {
		case t.class != "" || prepositions.Has(t.word) || t.clause != r.tokens[r.verb].clause:
			return noun
		case t.content:
			noun = t.key
		}
	}
	return ""
}

// purpose returns the key of what the last "for" of a text leads to.
func (r *reading) purpose() string {
	for i := len(r.tokens) - 1; i > max(r.verb, 0); i-- {
		if r.tokens[i].word != "for" {
			continue
		}
		j := r.nextContent(i)
		if j < 0 || r.tokens[j].class != "" {
			return ""
		}
		for j+1 < len(r.tokens) && r.tokens[j+1].content && r.tokens[j+1].class == "" &&
			r.tokens[j+1].clause == r.tokens[j].clause {
			j++ // session records are records
		}
		return r.tokens[j].key
	}
	return ""
}

// passive says whether the verb of a text is one of the past behind "is".
func (r *reading) passive() bool {
	for i, t := range r.tokens {
		if i > 0 && copulas.Has(r.tokens[i-1].word) && verbForms()[t.word] && !baseVerbs()[t.word] {
			return true
		}
	}
	return false
}

// beginning are verbs before a verb that takes many objects.
var beginning = lazy.Words(`start begin began =start =begin`)

// lists are the keys of verbs of which one does as many things as one likes. What somebody uses, needs, gives or causes
// is mostly one of a kind.
var lists = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(`own play speak know support read buy bought visit met eat drink include contain ` +
		`offer sell collect accept allow cover study learn learning handle check send import carry cook grow bake serve ` +
		`share track list hold process provide export expose produce print emit teach store add mention discuss watch ` +
		`take parse collect order`) {
		m[stemOf(w)] = true
		if c, ok := concepts()[w]; ok {
			m[c.key] = true
		}
		m["="+w] = true
	}
	return m
})
