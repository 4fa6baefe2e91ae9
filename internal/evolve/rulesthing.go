package evolve

import (
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// describes says whether the word at i only describes the noun after it: the ticket office.
func (r *reading) describes(i int) bool {
	if i+1 >= len(r.tokens) || r.tokens[i].owner || r.tokens[i].name || !r.tokens[i].content || r.tokens[i].class != "" {
		return false
	}
	t := r.tokens[i+1]
	if t.clause != r.tokens[i].clause || !t.content || t.class != "" || t.key[0] == '=' || i+1 == r.verb || i == r.verb {
		return false
	}
	return !attributes.Has(t.word) && !verbForms()[t.word] && !changeVerbs.Has(t.word) &&
		!strings.HasSuffix(t.word, "ly") && !strings.HasSuffix(t.word, "ed") && !strings.HasSuffix(t.word, "ing")
}

// where returns the first place of a key, -1 if it is none.
func (r *reading) where(key string) int {
	for i, t := range r.tokens {
		if t.content && t.key == key {
			return i
		}
	}
	return -1
}

// which returns the words that tell which one the thing at i is: those before it, and what a
// preposition adds to it.
func (r *reading) which(i int) []token {
	var ts []token
	for j := i - 1; j >= 0 && r.tokens[j].content && r.tokens[j].clause == r.tokens[i].clause &&
		!verbForms()[r.tokens[j].word] && j != r.verb; j-- {
		ts = append(ts, r.tokens[j])
	}
	if i+1 < len(r.tokens) && r.tokens[i+1].clause == r.tokens[i].clause {
		next := r.tokens[i+1]
		switch {
		case next.class == "number":
			ts = append(ts, next)
		case next.word == "for" || next.word == "of" || next.word == "against":
			if j := r.nextContent(i + 1); j > 0 {
				ts = append(ts, r.tokens[j])
			}
		}
	}
	return ts
}

// oneThing says whether the thing at i may be the thing of that name in the other text: it
// does not describe something else there, and is not told from it by other words.
func (r *reading) oneThing(o *reading, i int) bool {
	at := o.where(r.tokens[i].key)
	if at < 0 {
		return true // of one matter
	}
	if o.describes(at) && o.said[r.tokens[i].key] != 0 && r.said[o.tokens[at+1].key] == 0 {
		return false
	}
	if r.describes(i) && o.said[r.tokens[i+1].key] == 0 {
		return false
	}
	return !unknown(o.which(at), r) || !unknown(r.which(i), o)
}

// unknown says whether some words are there and none of them is in the text.
func unknown(ts []token, r *reading) bool {
	for _, t := range ts {
		if _, ok := r.said[t.key]; ok {
			return false
		}
	}
	return len(ts) > 0
}

// generic are words that say of many things which one is meant.
var generic = lazy.Words(
	`default main new old first last current maximum minimum max min total average final next whole`,
)

// solid says whether the two have more in common than words that describe other things.
func (c *comparison) solid() bool {
	for _, key := range c.shared {
		i, j := c.o.where(key), c.n.where(key)
		if i < 0 || j < 0 {
			return true
		}
		if generic.Has(c.n.tokens[j].word) {
			continue
		}
		if t := c.n.tokens[j]; t.class != "" || t.word == c.o.person {
			continue
		}
		if c.o.describes(i) && c.n.said[c.o.tokens[i+1].key] == 0 || c.n.describes(j) && c.o.said[c.n.tokens[j+1].key] == 0 {
			continue
		}
		return true
	}
	return false
}

// identifier says whether a word is written like a name in code or of a ticket, and so names no person:
// readConfig, OPS-114, main.go.
func (t token) identifier() bool {
	small := false
	for _, c := range t.text {
		switch {
		case unicode.IsDigit(c) || strings.ContainsRune("_./#", c) || small && unicode.IsUpper(c) && len(t.text) > 6:
			return true
		}
		small = unicode.IsLower(c)
	}
	return false
}

// appositions say before an identifier what it names: the function readConfig, the ticket OPS-114.
var appositions = lazy.Words(`function method class type struct interface package module file script table column ` +
	`index branch tag commit ticket issue task pr bug story incident flag variable constant setting option command ` +
	`endpoint route repo repository library crate`)
