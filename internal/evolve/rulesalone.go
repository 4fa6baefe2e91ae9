package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// alone says whether the two have nothing in common but the people they speak of, and a verb that has as many objects
// as one likes, so that both may hold: Alice likes tea, Alice visited Rome.
func (c *comparison) alone() bool {
	if c.family != "" || c.o.person == "" && !(c.o.ours() && c.n.ours()) && !c.oneDoer() {
		return false
	}
	for class := range c.nClass {
		if len(c.oClass[class]) > 0 && !period(class) {
			return false // two weights, two ages
		}
	}
	for _, key := range c.shared {
		if (!c.o.inSubject(key) || !c.n.inSubject(key)) && !several()[key] {
			return false
		}
	}
	return true
}

// movedOnly says whether the new text says no more than that its subject moved, and the old one says nothing of where
// it is: the worker was moved to its own repository, the worker has no tests.
func (c *comparison) movedOnly() bool {
	if c.family != "" {
		return false
	}
	for _, key := range c.shared {
		if !c.o.inSubject(key) || !c.n.inSubject(key) {
			return false
		}
	}
	moved := false
	for _, t := range c.n.tokens {
		if moving.Has(t.word) {
			moved = true
		} else if changeVerbs.Has(t.word) {
			return false
		}
	}
	for i, t := range c.o.tokens {
		if c.o.verb >= 0 && i > c.o.verb && placing.Has(t.word) {
			return false
		}
	}
	return moved
}

var (
	moving  = lazy.Words(`moved moves relocated transferred`)
	placing = lazy.Words(`in on at under inside near behind here there`)
)

// oneDoer says whether both begin with one and the same word, which does another thing in each: a name that is not
// known.
func (c *comparison) oneDoer() bool {
	o, n := c.o, c.n
	a, b := o.mainVerb(), n.mainVerb()
	return o.verb == 1 && n.verb == 1 && o.tokens[0].key == n.tokens[0].key && a != "" && b != "" && a != b
}

// ours says whether a text speaks of those who say it, or of others it does not name: we, they.
func (r *reading) ours() bool {
	return len(r.tokens) > 0 && pronouns.Has(r.tokens[0].word)
}

// arrived says whether the new text tells how what the old one says came about: Alice moved to Berlin, of Alice lives
// in Berlin.
func (c *comparison) arrived() bool {
	if c.family == "" || c.o.person == "" || c.subject != same || c.n.denies() || c.o.denies() {
		return false
	}
	arrives := false
	for _, t := range c.n.tokens {
		switch {
		case arriving.Has(t.word):
			arrives = true
		case changeVerbs.Has(t.word):
			return false
		}
	}
	if !arrives || c.n.phrase() != "" && !arriving.Has(firstWord(c.n.phrase())) {
		return false
	}
	named := false
	for _, t := range c.o.tokens {
		if !t.content || c.o.inSubject(t.key) || matters()[t.word] == c.family {
			continue
		}
		if _, both := c.n.said[t.key]; !both {
			return false
		}
		named = true
	}
	return named
}

func firstWord(phrase string) string {
	word, _, _ := strings.Cut(phrase, " ")
	return word
}

var arriving = lazy.Words(`moved relocated joined started began`)

// withoutResolve takes off that something was decided: of "we decided to use SQLite" it leaves "we use SQLite", so that
// two decisions are not alike because both are decisions.
func (r *reading) withoutResolve() {
	ts := r.tokens
	at := 0
	for at < len(ts) && at < 2 && determiners.Has(ts[at].word) {
		at++
	}
	if at >= len(ts) || !(pronouns.Has(ts[at].word) || at > 0 && deciders.Has(ts[at].word)) {
		return
	}
	subject := at + 1
	at = subject
	for at < len(ts) && resolveAside.Has(ts[at].word) {
		at++
	}
	if at >= len(ts) || !resolves.Has(ts[at].word) {
		return
	}
	at++
	not := at < len(ts) && ts[at].word == "not"
	if not {
		at++
	}
	if at+1 >= len(ts) || ts[at].word != "to" || ts[at].clause != ts[0].clause {
		return
	}
	rest := ts[at+1:]
	kept := append([]token{}, ts[:subject]...)
	if not {
		kept = append(kept, token{text: "not", word: "not", sign: 1, clause: ts[0].clause})
	}
	r.tokens = append(kept, rest...)
}

var (
	deciders     = lazy.Words(`team group board company council committee crew staff`)
	resolves     = lazy.Words(`decided agreed chose opted resolved voted`)
	resolveAside = lazy.Words(`have has had all finally now also just both then`)
)
