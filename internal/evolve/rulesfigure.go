package evolve

import (
	"slices"
	"strings"
)

// otherFigure finds a figure of a class that both texts give, and not the same.
func (c *comparison) otherFigure() (string, bool) {
	if c.equalValue || c.subject == unsure && (len(c.shared) < 2 || c.o.head != "" && c.n.said[c.o.head] == 0) ||
		c.narrower() || c.otherVerb() || strings.Contains(c.n.line(), " again ") || c.o.total() != c.n.total() {
		return "", false
	}
	o, n := plainOnly(c.oOnly), plainOnly(c.nOnly)
	for _, class := range []string{
		"number", "duration", "size", "money", "percent", "mass", "length", "volume", "frequency", "time",
		"date", "weekday", "month", "year", "ordinal", "daypart",
	} {
		if len(c.oClass[class]) != 1 || len(c.nClass[class]) != 1 || c.oClass[class][0].key == c.nClass[class][0].key {
			continue
		}
		occasion := class == "date" || class == "weekday" || class == "month" || class == "daypart"
		if occasion && (c.flips() != "" || o > 0 && n > 0 || o+n > 2) || o > 1 && n > 1 || o+n > 4 {
			continue
		}
		if c.towards() {
			return "", false
		}
		if c.o.counts(c.oClass[class][0].key, c.n) && c.n.counts(c.nClass[class][0].key, c.o) {
			return class, true
		}
		if !c.o.inSubject(c.oClass[class][0].key) && !c.n.inSubject(c.nClass[class][0].key) {
			return class, true
		}
	}
	return "", false
}

// total says whether a text tells a sum, or what falls to each: "" if neither.
func (r *reading) total() string {
	for _, t := range r.tokens {
		switch t.word {
		case "total", "altogether", "combined", "sum", "overall":
			return "sum"
		case "each", "apiece", "average":
			return "each"
		}
	}
	if strings.Contains(r.line(), " in all ") {
		return "sum"
	}
	return ""
}

// counts says whether the figure of this key counts things that the other text speaks of too.
func (r *reading) counts(key string, other *reading) bool {
	at := slices.IndexFunc(r.tokens, func(t token) bool { return t.key == key && t.class == "number" })
	if at < 0 || at+1 >= len(r.tokens) {
		return false
	}
	t := r.tokens[at+1]
	return t.content && t.clause == r.tokens[at].clause && t.class == "" && other.said[t.key] != 0
}

// towards says whether one text goes to where the other comes from.
func (c *comparison) towards() bool {
	side := func(r *reading, key string) string {
		for i, t := range r.tokens {
			if t.key == key && t.content && i > 0 && (r.tokens[i-1].word == "to" || r.tokens[i-1].word == "from") {
				return r.tokens[i-1].word
			}
		}
		return ""
	}
	for _, key := range c.shared {
		if a, b := side(c.o, key), side(c.n, key); a != "" && b != "" && a != b {
			return true
		}
	}
	return false
}

// otherVerb says whether the two say of it that it does two things.
func (c *comparison) otherVerb() bool {
	if c.o.verb < 0 || c.n.verb < 0 {
		return false
	}
	t, u := c.o.mainVerb(), c.n.mainVerb()
	return t != "" && u != "" && t != u
}

// otherValue finds another value in the same place of the same sentence.
func (c *comparison) otherValue() bool {
	o, n := plainOnly(c.oOnly), plainOnly(c.nOnly)
	if c.subject != same && (len(c.shared) < 2 || c.o.head != "" && c.n.said[c.o.head] == 0) || c.equalValue ||
		c.narrower() || c.o.denies() || c.n.denies() || o == 0 || n == 0 || o > 3 || n > 3 {
		return false
	}
	for _, t := range c.oOnly {
		for _, u := range c.nOnly {
			if k := exclusives()[t.word]; k > 0 && k == exclusives()[u.word] && o < 3 && n < 3 && !c.otherVerb() {
				return true
			}
		}
	}
	for _, t := range c.oOnly {
		og, ov, ok := c.o.governor(t)
		if !ok {
			continue
		}
		for _, u := range c.nOnly {
			ng, nv, ok := c.n.governor(u)
			if !ok || og != ng || t.class+u.class != "" {
				continue
			}
			switch {
			case og == "is" && (verbForms()[t.word] || verbForms()[u.word] || t.key[0] == '=' || u.key[0] == '='):
			case og == "is":
				if c.o.person == "" && (c.attribute() || t.named() && u.named()) {
					return true
				}
			case ov == nv && ov == "is" && o == 1 && n == 1 && c.o.person == "" && (og == "in" || og == "on" || og == "at"):
				return true
			case stemOf(ov) == stemOf(nv) && single()[stemOf(ov)]:
				if c.o.person == "" || ofPeople.Has(ov) {
					return true
				}
			}
		}
	}
	return false
}

func (c *comparison) attribute() bool {
	for _, i := range c.o.subject {
		if t := c.o.tokens[i]; t.key == c.o.head && attributes.Has(t.word) && c.o.head == c.n.head {
			return true
		}
	}
	return false
}

// named says whether a word is rather a name than a quality.
func (t token) named() bool {
	return t.capital || t.name || strings.ContainsAny(t.word, "-_./0123456789")
}

// governor returns the word that a token hangs on, and the verb of its clause.
func (r *reading) governor(t token) (word, verb string, ok bool) {
	at := slices.IndexFunc(r.tokens, func(u token) bool { return u.content && u.key == t.key })
	if at <= 0 || at <= r.verb-1 {
		return "", "", false
	}
	for j := at - 1; j >= 0 && r.tokens[j].clause == t.clause; j-- {
		w := r.tokens[j].word
		switch {
		case determiners.Has(w) || negators.Has(w) || manners.Has(w):
			continue
		case copulas.Has(w):
			word = "is"
		case prepositions.Has(w):
			word = w
		case verbForms()[w]:
			return w, w, true
		default:
			return "", "", false
		}
		for ; j >= 0; j-- {
			if w := r.tokens[j].word; verbForms()[w] || single()[w] {
				return word, w, true
			}
		}
		return word, "is", true
	}
	return "", "", false
}
