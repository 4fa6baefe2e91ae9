package evolve

import (
	"slices"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// A place is where two texts differ that are alike before it and after it.
type place struct {
	o, n   []token // what stands there
	before int     // how many words of the old text's spine are alike before it
	after  int     // content alike after it
	led    bool    // a preposition leads there
}

// spine returns the words of a text that count for its order, and where they stand.
func (r *reading) spine() (ts []token, at []int) {
	for i, t := range r.tokens {
		if t.word == "now" || t.word == "instead" {
			continue
		}
		if !t.content && (determiners.Has(t.word) || appositions.Has(t.word) || manners.Has(t.word) ||
			emphatic.Has(t.word) || t.word == "do" ||
			t.word == "does" || t.word == "did") {
			continue
		}
		ts, at = append(ts, t), append(at, i)
	}
	return ts, at
}

// emphatic are words that may be left out.
var emphatic = lazy.Words(
	`only just also too always everything still currently really actually already even very quite rather simply ` +
		`indeed exclusively solely all once there then`,
)

// alike says whether two words say the same.
func alike(t, u token) bool {
	switch {
	case t.content && u.content:
		return t.key == u.key && t.affirmed() == u.affirmed()
	case copulas.Has(t.word) && copulas.Has(u.word):
		return true
	case (t.word == "has" || t.word == "have") && (u.word == "has" || u.word == "have"):
		return true
	}
	return t.word == u.word
}

// place finds the one place in which the two differ.
func (c *comparison) place() (p place, ok bool) {
	o, oAt := c.o.spine()
	n, nAt := c.n.spine()
	for p.before < len(o) && p.before < len(n) && alike(o[p.before], n[p.before]) {
		p.before++
	}
	oEnd, nEnd := len(o), len(n)
	for oEnd > p.before && nEnd > p.before && alike(o[oEnd-1], n[nEnd-1]) {
		oEnd, nEnd = oEnd-1, nEnd-1
		if o[oEnd].content {
			p.after++
		}
	}
	if p.before == 0 || oEnd == p.before || nEnd == p.before || c.o.verb < 0 || c.n.verb < 0 ||
		oAt[p.before-1] < c.o.verb || nAt[p.before-1] < c.n.verb {
		return p, false
	}
	p.o, p.n = o[p.before:oEnd], n[p.before:nEnd]
	p.led = prepositions.Has(o[p.before-1].word) || prepositions.Has(p.o[0].word) && prepositions.Has(p.n[0].word)
	return p, p.fills(p.o, c.n) && p.fills(p.n, c.o)
}

// fills says whether these words may be one value, which the other text does not have.
func (p place) fills(ts []token, other *reading) bool {
	content := 0
	for i, t := range ts {
		switch {
		case conjunctions.Has(t.word) || negators.Has(t.word) || pronouns.Has(t.word) || t.word == "or" ||
			t.word == "to" && i > 0 || t.clause != ts[0].clause || supposing.Has(t.word) || changeVerbs.Has(t.word):
			return false
		case t.content && t.class == "":
			content++
			if _, ok := other.said[t.key]; ok {
				return false
			}
		case t.class != "":
			content++
		}
	}
	return content > 0 && content <= 3 && len(ts) <= 5
}

// several are verbs that have as many objects as one likes.
var several = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`like likes love loves enjoy hate hates dislike avoid use uses have has own owns ` +
		`play plays speak speaks know knows support supports read reads buy bought visit visited meet met
		eat eats drink drinks need needs want wants include includes contain contains offer offers sell sells make makes ` +
		`collect collects accept accepts allow allows cover covers study studies learn learns
		help helps add adds see saw watch watches handle handles check checks test tests show shows send sends get gets ` +
		`give gives got work works talk talks write writes require requires depend depends
		say says mention print prints emit emits complain complains teach teaches practise train sing call calls import ` +
		`imports carry cook cooks grow grows bake bakes
		serve serves share shares track tracks list lists fix fixed find found break broke cause causes remember ` +
		`remembers discuss discussed mean means hold holds travel travels fly flew look looks ask asks`) {
		m[w], m[stemOf(w)] = true, true
		if c, ok := concepts()[w]; ok {
			m[c.key] = true
		}
	}
	return m
})

// otherPlace says whether one and the same sentence has another value in one place.
func (c *comparison) otherPlace() bool {
	p, ok := c.place()
	if !ok || c.o.denies() || c.n.denies() || len(c.shared) == 0 {
		return false
	}
	for _, t := range slices.Concat(p.o, p.n) {
		if t.class == "weekday" || t.class == "date" || t.class == "month" || t.class == "time" || t.class == "daypart" ||
			t.class == "duration" {
			return false // a figure, of which there are other rules
		}
	}
	verb := c.o.mainVerb()
	whole := c.o.exclusive() || c.n.exclusive()
	switch {
	case c.o.person != "" && verb == "" && p.led && p.before > 1 && offices.Has(lastBefore(c.o, p)):
		return true
	case c.o.person != "" && !(ofPeople.Has(verb) || whole && p.led):
		return false
	case several()[verb] && !whole && !(p.after > 0 && !p.led && len(c.o.subject) == 0):
		return false
	case verb == "" && !copulas.Has(c.o.tokens[c.o.verb].word):
		return false
	case verb == "":
		return p.led && alikeLed(p) || c.attribute() || c.kinds(p)
	}
	return p.led || p.after > 0 && !several()[verb] || single()[verb] || whole
}

// offices are held for one thing at a time.
var offices = lazy.Words(
	`head lead leader manager director chair captain president ceo cto treasurer mayor owner coach principal editor`,
)

// lastBefore returns the last word of the old text before a place that is no preposition.
func lastBefore(r *reading, p place) string {
	ts, _ := r.spine()
	for i := p.before - 1; i >= 0; i-- {
		if !prepositions.Has(ts[i].word) {
			return ts[i].word
		}
	}
	return ""
}

// alikeLed says whether what a preposition leads to is of one shape: in the hall, in room 4.
func alikeLed(p place) bool {
	w := p.o[0].word
	return !prepositions.Has(w) || locating.Has(w) && locating.Has(p.n[0].word)
}

var locating = lazy.Words(`in on at under over behind near by from inside outside above below beside against within`)

// kinds says whether things are said to be things of two kinds: they are strings, they are integers.
func (c *comparison) kinds(p place) bool {
	if len(p.o) > 3 || len(p.n) > 3 || c.o.person != "" {
		return false
	}
	a, b := p.o[len(p.o)-1].word, p.n[len(p.n)-1].word
	plural := func(w string) bool {
		return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "ous")
	}
	return plural(a) && plural(b)
}

// exclusive says whether a text says that it is so and not otherwise.
func (r *reading) exclusive() bool {
	for _, t := range r.tokens {
		if t.word == "only" || t.word == "exclusively" || t.word == "solely" || t.word == "always" || t.word == "sole" ||
			t.word == "everything" || t.word == "entirely" || t.word == "invariably" {
			return true
		}
	}
	return false
}

// quantity returns who a text speaks of: 1 all, -1 none, 2 only some, 0 if it does not say.
func (r *reading) quantity() int {
	for i, t := range r.tokens {
		if r.verb >= 0 && i > r.verb {
			break
		}
		switch t.word {
		case "all", "every", "everyone", "everybody", "each", "any", "anyone", "anybody":
			return 1
		case "no", "none", "nobody", "neither":
			return -1
		case "only":
			return 2
		}
	}
	return 0
}

// otherQuantity says whether one text says of all what the other says of none, or of some only.
func (c *comparison) otherQuantity() bool {
	a, b := c.o.quantity(), c.n.quantity()
	if a == 0 || b == 0 || a == b || a+b == 1 {
		return false
	}
	rest := 0
	for _, key := range c.shared {
		if !c.o.inSubject(key) || !c.n.inSubject(key) {
			rest++
		}
	}
	if c.o.denies() && c.n.denies() {
		return false
	}
	if a == 2 || b == 2 {
		return rest > 1 && plainOnly(c.oOnly) < 3 && plainOnly(c.nOnly) < 3
	}
	return rest > 0 && len(c.oOnly)+len(c.nOnly) < 2
}
