// Package bearing judges by words alone whether a text bears on a question. What does not is weak: it shares
// a word or a name with the question, and answers something else.
package bearing

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/words"
)

// A Question is what a question asks for.
type Question struct {
	names [][]string // the terms of each name in it
	asked []ask      // what is asked, beside the names
	focus []ask      // of which one must be there: which browser, who designed, how old
	shape string     // what an answer looks like: place, time, reason, figure; "" is not known
	looks string     // the same, also where a word says it: in which year
	plain bool       // it is no question in form, but words
}

// An ask is a word of a question with the terms that are as good as it.
type ask struct {
	term string
	like map[string]bool
	word string // found between spaces it gives the term; "" is not known
}

// A text must have this share of what is asked for, or so many words of it where more is said than asked.
const (
	least  = 0.5
	enough = 2
)

// Read reads a question.
func Read(text string) Question {
	var q Question
	fields := fieldsOf(text)
	if foreign(fields) {
		return q // no words of that language are known
	}
	q.plain = !slices.ContainsFunc(fields[:min(len(fields), 3)], func(f string) bool {
		return asking.Has(strings.ToLower(f))
	})
	q.shape = shape(fields)
	if q.looks = q.shape; q.looks == "" && TimeAsked(text) {
		q.looks = "time"
	}
	from, to := focus(fields)
	loud := !slices.ContainsFunc(fields, func(f string) bool { return strings.ToLower(f) == f })
	seen := make(map[string]bool)
	for i, field := range fields {
		word := strip(field)
		low := strings.ToLower(word)
		central := from <= i && i < to
		if word == "" || words.Stop(low) || hollow.Has(low) && !(central && measured.Has(low)) {
			continue
		}
		terms := words.Terms(word)
		if len(terms) == 0 || seen[terms[0]] {
			continue
		}
		seen[terms[0]] = true
		if i > 0 && (named(word) || !loud && word != low) {
			q.names = append(q.names, terms)
			continue
		}
		a := ask{term: terms[0], like: alike(low, terms)}
		if len(terms) == 1 && word == low && !strings.ContainsFunc(low, func(c rune) bool { return c < 'a' || c > 'z' }) {
			a.word = low
		}
		q.asked = append(q.asked, a)
		if central && !general.Has(low) {
			q.focus = append(q.focus, a)
		}
	}
	return q
}

// foreign says whether a question has function words of another language than English.
func foreign(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return strangers.Has(strings.ToLower(strip(f))) })
}

// focus returns the words that say what is asked for: those between "which" and the verb, the verb after "who", the
// measure after "how", and what "what is the" leads to.
func focus(fields []string) (from, to int) {
	low := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return strings.ToLower(strip(fields[i]))
	}
	for i := range fields {
		if low(i) == "about" && i > 1 && i+1 < len(fields) {
			return i + 1, len(fields)
		}
	}
	for i := range min(len(fields), 4) {
		switch low(i) {
		case "which", "what", "whose":
			at := i + 1
			if verbs.Has(low(at)) {
				if at++; low(i) != "what" || !articles.Has(low(at)) {
					return 0, 0
				}
				at++
			}
			for to = at; to < len(fields) && !verbs.Has(low(to)) && !links.Has(low(to)); to++ {
			}
			return at, to
		case "who":
			if at := i + 1; !verbs.Has(low(at)) {
				return at, at + 1
			}
			return 0, 0
		case "how":
			if measured.Has(low(i + 1)) {
				return i + 1, i + 2
			}
			return 0, 0
		}
	}
	return 0, 0
}

// Weak says whether a statement does not bear on the question: it has too little of what is asked, or none of the names
// there, or neither a word that says what is asked for nor what such an answer looks like (in which year: 2019). A
// statement that has more than enough of the rest bears on it without those two: who describes a task at length names
// things of which what was decided need not speak.
func (q Question) Weak(text string) bool {
	has, named := q.namesIn(text)
	n := found(q.asked, has, text)
	if n > enough {
		return false
	}
	if !named || len(q.focus) > 0 && found(q.focus, has, text) == 0 && (q.looks == "" || !shaped(text, q.looks)) {
		return true
	}
	return float64(n) < min(least*float64(len(q.asked)), enough)
}

// Share is how much of what is asked for a text has, from 0 to 1: of each word, of the names together,
// of what an answer looks like, and of what the text itself speaks of.
// Of words that are no question it is 1.
func (q Question) Share(text string) float64 {
	if q.plain {
		return 1
	}
	all := len(q.asked)
	has, named := q.namesIn(text)
	n := found(q.asked, has, text)
	if len(q.names) > 0 {
		if all++; named {
			n++
		}
	}
	if q.shape != "" && all > 0 {
		if all++; shaped(text, q.shape) {
			n++
		}
	}
	if all == 0 {
		return 1
	}
	if head := head(text); head != "" { // what it speaks of is asked for, or it is aside
		if all++; q.speaksOf(head) {
			n++
		}
	}
	return float64(n) / float64(all)
}

// speaksOf says whether a question has a word, in small letters.
func (q Question) speaksOf(low string) bool {
	terms := words.Terms(low)
	if len(terms) == 0 {
		return true
	}
	return slices.ContainsFunc(q.asked, func(a ask) bool { return a.term == terms[0] || a.like[terms[0]] }) ||
		slices.ContainsFunc(q.names, func(n []string) bool { return slices.Contains(n, terms[0]) })
}

// WeakTurn is Weak for what was said in a conversation, of which the rest may stand in the turns beside it: it
// has nothing of what is asked, and not two of the names.
func (q Question) WeakTurn(text string) bool {
	if slices.ContainsFunc(q.asked, func(a ask) bool { return hasWord(text, a.word) }) {
		return false // without the terms of the others
	}
	has, _ := q.namesIn(text)
	const names = 2 // one alone may be the one who speaks, or is spoken to
	if len(q.names) >= names && q.namesFound(has) >= names {
		return false
	}
	return len(q.asked) > 0 && found(q.asked, has, text) == 0
}

// namesFound counts the names of which terms are there.
func (q Question) namesFound(has map[string]bool) (n int) {
	for _, name := range q.names {
		if slices.ContainsFunc(name, func(t string) bool { return has[t] }) {
			n++
		}
	}
	return n
}

// hasWord says whether a text has a word between spaces, or at an end.
func hasWord(text, word string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || text[from-1] == ' ') && (to == len(text) || text[to] == ' ') {
			return true
		}
		at = to
	}
}

// namesIn returns the terms of a text, and whether it has one of the names.
func (q Question) namesIn(text string) (has map[string]bool, ok bool) {
	has = make(map[string]bool)
	for _, t := range words.Terms(text) {
		has[t] = true
	}
	return has, len(q.names) == 0 || slices.ContainsFunc(q.names, func(n []string) bool {
		return slices.ContainsFunc(n, func(t string) bool { return has[t] })
	})
}

// found counts what of some asks a text has.
func found(all []ask, has map[string]bool, text string) int {
	n := 0
	for _, a := range all {
		if a.in(has, text) {
			n++
		}
	}
	return n
}

// in says whether a text has a word or one that is as good.
func (a ask) in(has map[string]bool, text string) bool {
	if has[a.term] {
		return true
	}
	for t := range a.like {
		if has[t] {
			return true
		}
	}
	return a.like[figures] && strings.ContainsFunc(text, unicode.IsDigit)
}
