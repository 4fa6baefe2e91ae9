package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// RulesVersion names the rules. Other rules are another version.
const RulesVersion = "rules/6"

// Rules finds by plain rules and a few weights, without any model, what a new memory updates or contradicts
// among old ones, and gives the surest relation, or nil. It reads English and short plain
// statements; of other languages it only tells two sentences that differ in a figure. The same memories give the same
// relation.
//
// What changes or contradicts an old memory goes before what extends one. It does not look for what derives.
func Rules(new Memory, old []Memory) *Relation {
	n := readMemory(new, false)
	var best *Relation
	for i, m := range old {
		r := relation(m, new, n)
		if r == nil {
			continue
		}
		r.Candidate, r.Detector = i, RulesVersion
		if r = Allowed(r, new, len(old)); r != nil && (best == nil || r.before(best)) {
			best = r
		}
	}
	return best
}

// relation says how a new memory, which was read already, relates to an old one; nil is not at all.
func relation(old, new Memory, n *reading) *Relation {
	o := readMemory(old, false)
	switch {
	case o.question || n.question:
		return nil
	case o.strange && n.strange:
		return otherFigureOnly(old.Text, new.Text)
	case o.strange || n.strange || n.supposed || len(n.said) == 0 || len(o.said) == 0:
		return nil
	}
	if n.tokens[0].word == "i" && o.tokens[0].word == "i" {
		o, n = readMemory(old, true), readMemory(new, true)
	}
	c := compare(o, n)
	r := c.decide(c.relate())
	if r == nil {
		if r = c.extends(); r == nil {
			return nil
		}
	}
	r.share = 0.2 * float64(len(c.shared)) / float64(max(len(n.said), 1))
	return r
}

// before says whether a relation is to be told rather than another: the surer one, and what extends last.
func (r *Relation) before(other *Relation) bool {
	if a, b := r.Type == memory.Extend, other.Type == memory.Extend; a != b {
		return b
	}
	return r.Confidence+r.share > other.Confidence+other.share
}

func compare(o, n *reading) *comparison {
	c := &comparison{o: o, n: n, subject: subjects(o, n), oClass: map[string][]token{}, nClass: map[string][]token{}}
	seen, line := map[string]bool{}, o.line()
	for _, t := range n.tokens {
		if !t.content {
			continue
		}
		_, both := o.said[t.key]
		if t.class != "" {
			c.nClass[t.class] = append(c.nClass[t.class], t)
			switch t.class {
			case "number", "duration", "size", "percent", "money", "time", "mass", "length", "volume":
				c.equalValue = c.equalValue || both && !(o.inSubject(t.key) && n.inSubject(t.key))
			}
		}
		switch {
		case seen[t.key]:
		case both:
			c.shared = append(c.shared, t.key)
			if (o.person == "" || t.key != stemOf(o.person)) && t.class == "" && (!changeVerbs.Has(t.word) ||
				strings.Contains(line, " "+t.word+" ")) {
				c.topical++
			}
		default:
			c.nOnly = append(c.nOnly, t)
		}
		seen[t.key] = true
	}
	seen = map[string]bool{}
	for _, t := range o.tokens {
		if !t.content {
			continue
		}
		if t.class != "" {
			c.oClass[t.class] = append(c.oClass[t.class], t)
		}
		if _, both := n.said[t.key]; !both && !seen[t.key] {
			c.oOnly = append(c.oOnly, t)
		}
		seen[t.key] = true
	}
	if c.twoNamed() {
		c.subject = apart
	}
	om, nm := o.matter(), n.matter()
	for _, t := range o.tokens { // in the order of the text, so that it is always the same
		if name := matters()[t.word]; name != "" && om[name] && nm[name] {
			c.family = name
			break
		}
	}
	return c
}

// relate says by the rules alone how a new text relates to an old one.
func (c *comparison) relate() *Relation {
	o, n := c.o, c.n
	if c.otherAgent() && change(o, n) == "" {
		return c.contradict("another who did it", 0.45)
	}
	if a, b := o.quantity(), n.quantity(); (a == 2 && b == 1 || a == 1 && b == 2) && c.otherQuantity() &&
		change(o, n) == "" {
		return c.contradict("all, some or none", 0.45)
	}
	if word := c.dropped(); word != "" {
		return c.plainly(word)
	}
	if word := c.ruledOut(); word != "" {
		r := c.contradict(word, 0.6)
		r.plain = true
		return r
	}
	if later, ok := c.renewed(); ok {
		r := c.plainly("another version")
		if !later && change(o, n) == "" {
			r.Type = memory.Contradict
		}
		return r
	}
	if c.handed() {
		return c.plainly("now")
	}
	if word := c.succeeded(); word != "" {
		return c.plainly(word)
	}
	if c.subject == apart || len(c.shared) == 0 {
		return nil
	}
	near := c.topical > 0 && len(c.shared) > 0 || c.family != "" && c.subject == same
	if !near {
		if c.subject == same && o.person != "" && len(c.oOnly)+len(c.nOnly) > 0 && !c.occasions() && change(o, n) == "" {
			if word, ok := c.byKind(); ok {
				return c.contradict("denied of the kind, "+word, 0.4)
			}
			if word, ok := c.clashes(); ok {
				return c.contradict("cannot both be, "+word, 0.4)
			}
		}
		if _, ok := c.place(); ok && c.subject == same && !o.denies() && !n.denies() && change(o, n) == "" {
			if class, ok := c.otherFigure(); ok {
				return c.contradict("another "+class, 0.4)
			}
		}
		return nil
	}
	if o.day != "" && n.day != "" && o.day < n.day && len(c.oOnly)+len(c.nOnly) > 0 && c.coverage() >= 0.4 {
		return c.update("dated "+o.day+" and "+n.day, 0.6)
	}
	if word := c.over(); word != "" {
		return c.plainly(word)
	}
	if word := c.exchanged(); word != "" {
		return c.plainly(word)
	}
	if c.relocated() {
		return c.plainly("moved")
	}
	from, to := advanced(o, n)
	if to != "" && c.reached(from, to) {
		return c.plainly(from + ", then " + to)
	}
	if to != "" && !c.recurs() && (c.subject == same || len(c.shared) > 1) {
		return c.update(from+", then "+to, 0.6)
	}
	if word := change(o, n); word != "" && len(c.nOnly) > 0 && (c.family != "" || c.subject == same &&
		o.person != "" || c.solid()) && !(stateWords[word] && c.occasions()) && !c.retold() && !(beside.Has(word) &&
		c.holds()) {
		sure := 0.5
		if c.subject == same {
			sure += 0.1
		}
		r := c.update(word, sure)
		if _, ok := c.place(); ok && c.subject == same && o.mainVerb() == n.mainVerb() && !c.conditions() {
			r.plain = true // another value in the same place of the same sentence, and a word of change
		}
		return r
	}
	r := c.contradiction()
	if line := n.line(); r != nil && (c.step() != "" ||
		n.recent() || n.ends() || n.heralds() || strings.Contains(line, " again ") ||
		strings.Contains(line, " has been ") || strings.Contains(line, " have been ")) {
		r.Type = memory.Update
	}
	return r
}

// plainly is an update that a text tells in so many words.
func (c *comparison) plainly(why string) *Relation {
	r := c.update(why, 0.6)
	r.plain = true
	return r
}

// beside are words of change that are as often said of what comes in addition.
var beside = lazy.Words(`since now new finally meanwhile`)

// stateWords are words of change that also describe a state.
var stateWords = map[string]bool{"is off": true, "are off": true}

// recurs says whether both speak of the same days or times of the day, on which it is so or not.
func (c *comparison) recurs() bool {
	for _, class := range []string{"weekday", "daypart", "time"} {
		for _, t := range c.nClass[class] {
			if _, both := c.o.said[t.key]; both {
				return true
			}
		}
	}
	return false
}

// holds says whether the new text repeats all that the old one says, and adds to it.
func (c *comparison) holds() bool {
	if p := c.n.phrase(); c.flips() != "" || strings.Contains(p, "longer") || strings.Contains(p, "more") {
		return false
	}
	for _, t := range c.oOnly {
		if !verbForms()[t.word] {
			return false
		}
	}
	return true
}

// retold says whether the old text tells of the same change already.
func (c *comparison) retold() bool {
	if change(c.n, c.o) != "" && !slices.ContainsFunc(c.nOnly, func(t token) bool {
		return !changeVerbs.Has(t.word) &&
			!verbForms()[t.word] && t.key != "=old"
	}) && len(c.oOnly) < 3 && c.flips() == "" {
		return true
	}
	if p := c.n.phrase(); strings.Contains(p, "longer") || strings.Contains(p, "more") {
		return false
	}
	if change(c.n, c.o) == "" || c.flips() != "" || float64(len(c.shared)) < 0.6*float64(len(c.n.said)) {
		return false
	}
	for _, t := range c.nOnly {
		if t.class == "" {
			continue
		}
		agreed := false
		for _, u := range c.nClass[t.class] {
			agreed = agreed || c.o.said[u.key] != 0
		}
		if !agreed {
			return false
		}
	}
	return true
}

// contradiction finds what cannot both hold.
func (c *comparison) contradiction() *Relation {
	if c.retoldSame() {
		return nil
	}
	occasions := c.occasions()
	if word := c.turned(); word != "" && c.subject != apart {
		return c.contradict("said and denied, "+word, 0.5)
	}
	if word, ok := c.opposite(); ok && !occasions {
		return c.contradict("said and denied, "+word, 0.5)
	}
	if c.subject != apart && c.swapped() {
		return c.contradict("the other way round", 0.5)
	}
	if rule, ok := c.rulesClash(); ok {
		return c.contradict(rule, 0.45)
	}
	if class, ok := c.otherFigure(); ok {
		return c.contradict("another "+class, 0.45)
	}
	if word, ok := c.byKind(); ok && !occasions {
		return c.contradict("denied of the kind, "+word, 0.45)
	}
	if word, ok := c.clashes(); ok && !occasions {
		return c.contradict("cannot both be, "+word, 0.45)
	}
	if c.otherQuantity() {
		return c.contradict("all, some or none", 0.45)
	}
	if c.otherValue() && !occasions {
		return c.contradict("another value", 0.4)
	}
	if c.otherPlace() && !occasions {
		return c.contradict("another in its place", 0.4)
	}
	return nil
}
