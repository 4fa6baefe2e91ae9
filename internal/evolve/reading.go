package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/words"
)

// A token is a word as the rules see it.
type token struct {
	text    string // as written
	word    string // in lower case
	key     string // its concept, value or stem: words of one key say the same
	class   string // of a value: number, time, date, …
	sign    int8   // -1 where it says the contrary of its key
	denied  int    // how often it is denied
	clause  int
	content bool // it says what the sentence is about
	capital bool // it begins with a capital though it begins no sentence
	name    bool
	colon   bool // it ends with one
	half    bool // the first half of a word with a hyphen
	owner   bool // it had 's
	first   bool // of its sentence
}

// affirmed is 1 or -1: whether the token's key is said or denied.
func (t token) affirmed() int8 {
	if t.denied%2 == 1 {
		return -t.sign
	}
	return t.sign
}

// A reading is what the rules make of a text.
type reading struct {
	tokens   []token
	subject  []int // places of the content of the first subject
	head     string
	person   string // the name that is the subject
	speaker  string // who says it, if the text says so
	verb     int    // place of the first verb, -1 if there is none
	question bool
	supposed bool
	strange  bool // too long, or not English
	said     map[string]int8
	day      string // the date that stands before the statement

	own       bool // it and the text that it is compared with are about who writes: I
	announced bool // a heading says that it is news: "New hours:", "Decision changed:"
	reasoned  bool // it gave a reason, which was taken off
}

// stemOf is the stem of a word.
func stemOf(word string) string {
	if terms := words.Terms(word); len(terms) > 0 {
		return terms[0]
	}
	return word
}

// key returns every token its key.
func (r *reading) key(about []string) {
	for i := range r.tokens {
		t := &r.tokens[i]
		for _, a := range about {
			if len(a) > 1 && strings.EqualFold(a, t.word) && strings.ToLower(a) != a {
				t.name = true
			}
		}
		if t.capital && t.class == "" {
			t.name = true
		}
		if t.word == "i" && t.first && r.own {
			t.key, t.content, t.name = t.word, true, true // who writes is one person, as a name is
			continue
		}
		if t.class != "" {
			t.content = true
			continue
		}
		if (t.word == "on" || t.word == "off") && i > 0 && (copulas.Has(r.tokens[i-1].word) ||
			r.tokens[i-1].word == "turned" || r.tokens[i-1].word == "switched") &&
			(i+1 == len(r.tokens) || r.tokens[i+1].clause != t.clause || prepositions.Has(r.tokens[i+1].word)) {
			t.key, t.content = "=enabled", true
			if t.word == "off" {
				t.sign = -1
			}
			continue
		}
		if (t.word == "stand" || t.word == "bear" || t.word == "abide") && i > 1 && r.tokens[i-1].word == "not" &&
			strings.HasPrefix(r.tokens[i-2].word, "c") {
			t.key, t.content = "=like", true // she can't stand it
			continue
		}
		if r.declines(i) {
			t.key = t.word
			continue
		}
		if c, ok := concepts()[t.word]; ok && !t.name && t.word != "on" {
			if t.word == "may" || t.word == "must" || t.word == "need" || t.word == "needs" || t.word == "last" ||
				t.word == "first" || t.word == "later" || t.word == "all" || t.word == "none" || t.word == "before" ||
				t.word == "after" || t.word == "always" {
				t.key, t.sign = c.key, c.sign
				continue // said, but not what it is about
			}
			t.key, t.sign, t.content = c.key, c.sign, true
			continue
		}
		if (emptyWords.Has(t.word) || manners.Has(t.word)) && t.name && !t.first && !pronouns.Has(t.word) &&
			!determiners.Has(t.word) {
			t.key, t.content = t.word, true // Go, the language
			continue
		}
		if emptyWords.Has(t.word) || negators.Has(t.word) || manners.Has(t.word) ||
			appositions.Has(t.word) && i+1 < len(r.tokens) && r.tokens[i+1].clause == t.clause && r.tokens[i+1].identifier() {
			t.key = t.word
			continue
		}
		t.key, t.content = stemOf(t.word), true
		if strings.Contains(t.word, "/") {
			t.key = t.word // a path is one thing
		}
	}
}

func (r *reading) line() string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range r.tokens {
		b.WriteString(t.word)
		b.WriteByte(' ')
	}
	return b.String()
}

// phrase returns the first phrase of change in a text.
func (r *reading) phrase() string {
	for i := range r.tokens {
		for _, p := range strongPhrases()[r.tokens[i].word] {
			if r.at(i, p) {
				return strings.Join(p, " ")
			}
		}
	}
	return ""
}

// at says whether these words stand at i.
func (r *reading) at(i int, words []string) bool {
	if i+len(words) > len(r.tokens) {
		return false
	}
	for k, w := range words {
		if r.tokens[i+k].word != w {
			return false
		}
	}
	return true
}

// matter returns the matters a text speaks of.
func (r *reading) matter() map[string]bool {
	m := map[string]bool{}
	for _, t := range r.tokens {
		if name := matters()[t.word]; name != "" && !t.name {
			m[name] = true
		}
	}
	return m
}

// speaksOf says whether a text has the token's key or its matter.
func (r *reading) speaksOf(t token) bool {
	if _, ok := r.said[t.key]; ok {
		return true
	}
	m := matters()[t.word]
	return m != "" && r.matter()[m]
}

// denies says whether anything in a text is denied.
func (r *reading) denies() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.denied%2 == 1 })
}

func (r *reading) inSubject(key string) bool {
	for _, i := range r.subject {
		if r.tokens[i].key == key {
			return true
		}
	}
	return false
}

// mainVerb returns the key of the verb that says what the subject does, "" if it only is or has.
func (r *reading) mainVerb() string {
	if r.verb < 0 {
		return ""
	}
	for i := r.verb; i < len(r.tokens) && i < r.verb+4 && r.tokens[i].clause == r.tokens[r.verb].clause; i++ {
		t := r.tokens[i]
		switch {
		case auxiliaries.Has(t.word) || negators.Has(t.word) || manners.Has(t.word) || strings.HasSuffix(t.word, "ly"):
			continue
		case (t.content || verbForms()[t.word]) && t.class == "" && (i == r.verb || verbForms()[t.word] ||
			changeVerbs.Has(t.word) || strings.HasSuffix(t.word, "ed")):
			return t.key
		}
		break
	}
	return ""
}

// declines says whether the word at i denies what comes after it: refuses to, fails to.
func (r *reading) declines(i int) bool {
	return declining.Has(r.tokens[i].word) && i+1 < len(r.tokens) && r.tokens[i+1].word == "to"
}

var declining = lazy.Words(
	`refuse refuses refused decline declines declined fail fails failed neglects forgot forgets impossible unable ` +
		`unwilling`,
)

func plainOnly(ts []token) int {
	n := 0
	for _, t := range ts {
		if t.class == "" {
			n++
		}
	}
	return n
}
