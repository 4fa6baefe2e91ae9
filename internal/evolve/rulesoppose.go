package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// occasions says whether the two speak of two times.
func (c *comparison) occasions() bool {
	for _, class := range []string{"weekday", "date", "month", "time", "daypart"} {
		if len(c.oClass[class]) > 0 && len(c.nClass[class]) > 0 &&
			!slices.ContainsFunc(c.nClass[class], func(t token) bool { return c.o.said[t.key] != 0 }) {
			return true
		}
	}
	return false
}

// turned finds the one small word in which two texts differ: before and after.
func (c *comparison) turned() string {
	if len(c.oOnly)+len(c.nOnly) > 0 {
		return ""
	}
	o, n := c.o.line(), c.n.line()
	for _, p := range [][2]string{
		{" before ", " after "}, {" after ", " before "}, {" with ", " without "}, {" without ", " with "},
	} {
		if strings.Contains(o, p[0]) && !strings.Contains(n, p[0]) && strings.Contains(n, p[1]) &&
			!strings.Contains(o, p[1]) {
			return strings.TrimSpace(p[1])
		}
	}
	return ""
}

// retoldSame says whether the new text says nothing that the old one did not.
func (c *comparison) retoldSame() bool {
	return len(c.nOnly) == 0 && len(c.oOnly) == 0 && c.flips() == "" && c.turned() == "" && !c.swapped()
}

// opposite finds a word that one text affirms and the other denies.
func (c *comparison) opposite() (string, bool) {
	if c.o.tricky() || c.n.tricky() || c.equalValue && c.coverage() < 0.75 || c.o.denies() && c.n.denies() ||
		c.conditions() {
		return "", false
	}
	if c.coverage() < 0.5 || c.subject != same && len(c.shared) < 2 || !c.headed() || c.rival() ||
		c.o.duties()&c.n.duties()&mustNot != 0 {
		return "", false
	}
	if word := c.flips(); word != "" {
		_, on := c.n.said[c.o.head]
		_, no := c.o.said[c.n.head]
		turned := on && no && c.o.head != c.n.head && strings.HasSuffix(word, "er") // Max is taller, Emil is shorter
		return word, !turned && !c.narrower() && !c.part()
	}
	if word := c.turned(); word != "" {
		return word, true
	}
	for _, p := range [][2]*reading{{c.o, c.n}, {c.n, c.o}} {
		for _, t := range p[0].tokens {
			if base := contrary(t.word); base != "" {
				if sign, ok := p[1].said[stemOf(base)]; ok && sign == t.affirmed() {
					return t.text, true
				}
			}
		}
	}
	return "", false
}

// flips returns the first word of the new text that the old one says with the other sign.
func (c *comparison) flips() string {
	for _, t := range c.n.tokens {
		if !t.content || t.class != "" || t.word == c.n.person || t.word == c.o.person {
			continue
		}
		if attitudes.Has(t.key) && leftover(c.oOnly) > 0 && leftover(c.nOnly) > 0 {
			continue // coffee and the language
		}
		if verbForms()[t.word] && c.otherObject(t.key) {
			continue // he speaks one language, and another he does not
		}
		if c.distinguishes(t) {
			continue // the east entrance and the west entrance
		}
		if was, both := c.o.said[t.key]; both && was != c.n.said[t.key] {
			return t.text
		}
	}
	return ""
}

// distinguishes says whether in both texts a word of this key stands before the same noun, and
// no verb says that it is so.
func (c *comparison) distinguishes(t token) bool {
	i, j := c.o.where(t.key), c.n.where(t.key)
	if i == c.o.verb || j == c.n.verb { // likes hiking, hates hiking
		return false
	}
	if i < 1 || j < 1 || t.key[0] != '=' || t.denied > 0 || c.o.tokens[i].denied > 0 || i+1 >= len(c.o.tokens) ||
		j+1 >= len(c.n.tokens) {
		return false
	}
	a, b := c.o.tokens[i+1], c.n.tokens[j+1]
	if !a.content || a.key != b.key || a.class != "" {
		return false
	}
	stated := func(r *reading, i int) bool {
		return copulas.Has(r.tokens[i-1].word) || i > 1 && determiners.Has(r.tokens[i-1].word) &&
			copulas.Has(r.tokens[i-2].word) || verbForms()[r.tokens[i-1].word]
	}
	return !stated(c.o, i) && !stated(c.n, j)
}

// otherObject says whether the word of this key has another object in each text.
func (c *comparison) otherObject(key string) bool {
	object := func(r *reading) (keys []string) {
		at := r.where(key)
		for j := at + 1; j > 0 && j < len(r.tokens) && r.tokens[j].clause == r.tokens[at].clause; j++ {
			if t := r.tokens[j]; t.content {
				keys = append(keys, t.key)
			} else if prepositions.Has(t.word) || conjunctions.Has(t.word) {
				break
			}
		}
		return keys
	}
	a, b := object(c.o), object(c.n)
	for _, k := range a {
		if _, both := c.n.said[k]; both {
			return false
		}
	}
	for _, k := range b {
		if _, both := c.o.said[k]; both {
			return false
		}
	}
	return len(a) > 0 && len(b) > 0
}

var attitudes = lazy.Words(`=like =prefer =trust =afraid`)

// leftover counts things that only one text speaks of.
func leftover(ts []token) int {
	n := 0
	for _, t := range ts {
		if !verbForms()[t.word] && t.key[0] != '=' {
			n++
		}
	}
	return n
}

// narrower says whether one text speaks of a part of what the other speaks of: the queue,
// and the queue of the printer.
func (c *comparison) narrower() bool {
	if c.subject != same || c.o.head != c.n.head || c.o.person+c.n.person != "" {
		return false
	}
	for _, p := range [][2]*reading{{c.o, c.n}, {c.n, c.o}} {
		for _, i := range p[0].subject {
			t := p[0].tokens[i]
			if _, both := p[1].said[t.key]; !both && t.key[0] != '=' {
				return true
			}
		}
	}
	return false
}

// part says whether the head of one subject stands beside the head of the other: the release,
// and the release candidates.
func (c *comparison) part() bool {
	if c.subject == same || c.o.head == c.n.head {
		return false
	}
	beside := func(r *reading, head string) bool {
		for k, i := range r.subject {
			if k+1 < len(r.subject) && r.tokens[i].key == head && r.subject[k+1] == i+1 && r.tokens[i+1].key == r.head {
				return true
			}
		}
		return false
	}
	return beside(c.n, c.o.head) || beside(c.o, c.n.head)
}

// headed says whether the old text's subject stands in the new one.
func (c *comparison) headed() bool {
	if c.subject == same || c.o.head == "" || c.n.head == "" {
		return true
	}
	_, ok := c.n.said[c.o.head]
	return ok || c.coverage() >= 0.75
}

// rival says whether one thing has two different additions: the parcel for the lab, the
// parcel for the canteen.
func (c *comparison) rival() bool {
	for _, t := range c.oOnly {
		op, ok := c.o.addition(t)
		if !ok {
			continue
		}
		for _, u := range c.nOnly {
			if np, ok := c.n.addition(u); ok && op == np && t.class == u.class {
				return true
			}
		}
	}
	return false
}

// conditions says whether the two hold under two conditions: in production, in development.
func (c *comparison) conditions() bool {
	objects := func(r *reading, other *reading) map[string]string {
		m := map[string]string{}
		for i, t := range r.tokens {
			if !conditional.Has(t.word) {
				continue
			}
			if j := r.nextContent(i); j > 0 && r.tokens[j].content && other.said[r.tokens[j].key] == 0 {
				m[t.word] = r.tokens[j].key
			}
		}
		return m
	}
	os, ns := objects(c.o, c.n), objects(c.n, c.o)
	for p := range os {
		if ns[p] != "" {
			return true
		}
	}
	return false
}

var conditional = lazy.Words(`in on at for with during under`)

// addition returns what a token is added to and the preposition that does it.
func (r *reading) addition(t token) (to [2]string, ok bool) {
	at := slices.IndexFunc(r.tokens, func(u token) bool { return u.content && u.key == t.key })
	for j := at - 1; j > 0 && r.tokens[j].clause == t.clause; j-- {
		u := r.tokens[j]
		switch {
		case determiners.Has(u.word):
			continue
		case prepositions.Has(u.word) && r.tokens[j-1].content:
			return [2]string{r.tokens[j-1].key, u.word}, true
		}
		break
	}
	return to, false
}

// contrary takes off what makes a word its contrary.
func contrary(w string) string {
	if base, ok := strings.CutSuffix(w, "less"); ok && len(base) > 3 {
		return base
	}
	for _, p := range []string{"un", "non-", "non", "in", "im", "dis", "ir"} {
		if base, ok := strings.CutPrefix(w, p); ok && len(base) > 3 {
			return base
		}
	}
	return ""
}

// ordered words have two sides that differ.
var ordered = lazy.Words(`before after to over than above below under reports older younger bigger smaller taller ` +
	`faster slower manages precedes beats beat depends imports calls extends
	contains follows wraps inherits older-than`)

// swapped says whether two things changed places around a word that has two sides.
func (c *comparison) swapped() bool {
	_, on := c.n.said[c.o.head]
	_, no := c.o.said[c.n.head]
	crossed := on && no && c.o.head != c.n.head
	for i, t := range c.o.tokens {
		if !ordered.Has(t.word) {
			continue
		}
		for j, u := range c.n.tokens {
			if u.word != t.word && (u.key != t.key || t.key == t.word || t.sign != u.sign) {
				continue
			}
			if c.flips() != "" {
				continue // taller and shorter
			}
			if crossed && comparative(t.word) && comparative(u.word) {
				return true
			}
			if len(c.oOnly)+len(c.nOnly) > 1 || c.equalValue {
				continue
			}
			ol, or := c.o.sides(i)
			nl, nr := c.n.sides(j)
			for _, a := range ol {
				for _, b := range or {
					if a != b && slices.Contains(nr, a) && slices.Contains(nl, b) && !slices.Contains(nl, a) &&
						!slices.Contains(ol, b) {
						return true
					}
				}
			}
		}
	}
	return false
}

func comparative(w string) bool {
	return len(w) > 4 && strings.HasSuffix(w, "er") && ordered.Has(w)
}

// agent returns who did it, and the verb: "Ann wrote", "was written by Ann".
func (r *reading) agent() (who, verb string) {
	for i, t := range r.tokens {
		if t.word == "by" && i > 0 && i+1 < len(r.tokens) && single()[r.tokens[i-1].word] && r.tokens[i+1].name {
			return r.tokens[i+1].key, r.tokens[i-1].key
		}
	}
	if r.person != "" && r.verb >= 0 && single()[r.tokens[r.verb].word] {
		return stemOf(r.person), r.tokens[r.verb].key
	}
	return "", ""
}

// otherAgent says whether two texts name two who did one thing.
func (c *comparison) otherAgent() bool {
	a, did := c.o.agent()
	b, does := c.n.agent()
	if _, _, value := c.excluded(); value != "" {
		return false // the CLI uses YAML, not JSON
	}
	return a != "" && b != "" && a != b && did == does && c.n.said[a] == 0 && c.o.said[b] == 0 && len(c.shared) > 1 &&
		len(c.oOnly) < 3 && len(c.nOnly) < 3 &&
		(len(c.oOnly) == 1 || len(c.nOnly) == 1)
}

// sides returns the keys before and after a place in its clause.
func (r *reading) sides(i int) (left, right []string) {
	for j, t := range r.tokens {
		switch {
		case !t.content || t.clause != r.tokens[i].clause:
		case j < i:
			left = append(left, t.key)
		case j > i:
			right = append(right, t.key)
		}
	}
	return left, right
}
