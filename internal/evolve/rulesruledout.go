package evolve

import "strings"

// ruledOut says whether the new text repeats the old one with another value and rules the old value out by name: "we
// deploy on Tuesdays, not Fridays", "the limit is not 100 but 300". It returns the words that say so.
func (c *comparison) ruledOut() string {
	from, to, value := c.excluded()
	if value == "" || c.o.denies() || c.n.supposed {
		return ""
	}
	for _, t := range c.oOnly {
		if t.name || !verbForms()[t.word] && !light.Has(t.word) {
			return "" // the old text speaks of something else too
		}
	}
	for _, i := range c.o.subject { // who or what the old text is about is there too, or is what is ruled out
		if c.n.said[c.o.tokens[i].key] == 0 {
			return ""
		}
	}
	if c.subject == apart && c.n.head != "" && !c.rulesOutSubject(from, to) {
		return ""
	}
	other := 0 // words in place of the value, and what remains of the old text around it
	kept := false
	for i, t := range c.n.tokens {
		if i >= from && i < to {
			continue
		}
		switch {
		case c.n.pronounOf(c.o, i):
			kept = true
		case !t.content:
		case c.o.said[t.key] != 0:
			kept = true
		case !verbForms()[t.word]:
			other++
		}
	}
	if !kept || other == 0 || other > mostValue {
		return ""
	}
	return value
}

// mostValue is how many words a value has at most.
const mostValue = 3

// pronounOf says whether both texts begin with the pronoun at i: we.
func (r *reading) pronounOf(o *reading, i int) bool {
	return i == 0 && len(o.tokens) > 0 && pronouns.Has(r.tokens[0].word) && o.tokens[0].word == r.tokens[0].word
}

// rulesOutSubject says whether what is ruled out from one place to another is what the old text is about: Ann, not Bob.
func (c *comparison) rulesOutSubject(from, to int) bool {
	for _, t := range c.n.tokens[from:to] {
		if t.content && c.o.inSubject(t.key) {
			return true
		}
	}
	return false
}

// excluded returns where the new text rules out something that the old one says, and the words that do it: ", not B",
// "rather than B", "not B but C". They are "" where it rules out nothing that the old text says.
func (c *comparison) excluded() (from, to int, value string) {
	ts := c.n.tokens
	for i, t := range ts {
		begin := 0
		switch {
		case t.word == "rather" && i+1 < len(ts) && ts[i+1].word == "than":
			begin = i + 2
		case t.word == "not" && i > 0 && (ts[i-1].clause != t.clause || ts[i-1].word == "and"):
			begin = i + 1
		case t.word == "not" && c.n.corrects(i):
			begin = i + 1
		default:
			continue
		}
		if end, words := c.known(begin, t.clause); end > 0 {
			return i, end, t.word + " " + words
		}
	}
	return 0, 0, ""
}

// corrects says whether what the "not" at i denies is given otherwise behind it: not B but C; is not B, it is C.
func (r *reading) corrects(i int) bool {
	for j := i + 1; j < len(r.tokens); j++ {
		t := r.tokens[j]
		if t.word == "but" && j+1 < len(r.tokens) && !verbForms()[r.tokens[j+1].word] {
			return true
		}
		if t.clause != r.tokens[i].clause {
			return j+1 < len(r.tokens) && (t.word == "it" || t.word == "they") && copulas.Has(r.tokens[j+1].word)
		}
	}
	return false
}

// known reads the words from a place on, in one clause, up to "but": it returns where they end if the old text says all
// of them without a "not", 0 if it does not.
func (c *comparison) known(begin, clause int) (end int, words string) {
	var said []string
	for end = begin; end < len(c.n.tokens); end++ {
		t := c.n.tokens[end]
		if t.clause != clause || t.word == "but" {
			break
		}
		if !t.content {
			continue
		}
		if c.o.said[t.key] == 0 && !verbForms()[t.word] {
			return 0, ""
		}
		said = append(said, t.text)
	}
	if len(said) == 0 || len(said) > 2*mostValue {
		return 0, ""
	}
	return end, strings.Join(said, " ")
}
