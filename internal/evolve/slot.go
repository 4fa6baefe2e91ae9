package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// other finds two statements that are the same but for one place, which only one value can fill.
func other(o, n statement) *Relation {
	cut := n.tokens[:min(len(n.tokens), len(o.tokens))]
	for i, ts := range [][]token{n.tokens, untimed(n.tokens), leading(n.tokens), cut} {
		was := o.tokens
		if len(ts) < 2 {
			continue
		}
		before, after := common(was, ts)
		a, b := was[before:len(was)-after], ts[before:len(ts)-after]
		if len(a) == 0 && len(b) == 0 {
			if i == 3 {
				continue
			}
			if o.denied != n.denied && len(content(was)) > 1 && !o.ended {
				return told(memory.Contradict, "said and denied", was, ts)
			}
			return nil
		}
		if len(a) == 0 || len(b) == 0 || len(a) > 5 || len(b) > 5 || o.denied != n.denied || i == 3 && b[0].class == "" {
			continue
		}
		p := place{was: was, now: ts, before: before, after: after, a: a, b: b, verb: o.verb}
		p.changed = n.now || n.changes()
		why := p.sole()
		if why == "" {
			continue
		}
		kind := memory.Contradict
		if n.now || n.whole != nil || len(ts) != len(n.tokens) || n.changes() || rises(a, b, was[:before]) ||
			b[0].is("turn") {
			kind = memory.Update
		}
		return told(kind, why, a, b)
	}
	return labelled(o, n)
}

// labelled finds two figures of one name that are told in other words: listens on port 8080, the port is 9090.
func labelled(o, n statement) *Relation {
	a, was := o.only()
	b, now := n.only()
	if a == nil || b == nil || a.class != b.class || a.key == b.key || len(was) < 2 || len(was) != len(now) ||
		!subset(was, now) || o.denied || n.denied || o.tokens[o.verb].past() {
		return nil
	}
	kind := memory.Contradict
	if n.now || n.whole != nil || o.tokens[o.verb].word == "was" && n.tokens[n.verb].word == "is" {
		kind = memory.Update
	}
	return told(kind, "another "+a.class, []token{*a}, []token{*b})
}

// only returns the figure of a statement that has one, and what else it says, without verbs that say no more than that
// it is so.
func (s statement) only() (figure *token, said []string) {
	for i, t := range s.tokens {
		switch {
		case t.class != "" && figure != nil:
			return nil, nil
		case t.class != "":
			figure = &s.tokens[i]
			if i < s.verb {
				return nil, nil
			}
		case !Is("plain", t.key):
			said = append(said, content([]token{t})...)
		}
	}
	named := func(t token) bool { return Is("numbered", t.key) || unitOf(t.word) != "" }
	if said != nil && figure != nil && !slices.ContainsFunc(s.tokens, named) {
		return nil, nil
	}
	return figure, said
}

// leading takes off the time with which a statement begins: from Monday the office opens at 7:00.
func leading(ts []token) []token {
	if len(ts) > 4 && (ts[0].is("time.in") || ts[0].is("since")) && ts[1].class != "" &&
		ts[1].class != "number" {
		return ts[2:]
	}
	return ts
}

// common returns how many tokens two statements have in common before and after what differs.
func common(a, b []token) (before, after int) {
	for before < len(a) && before < len(b) && a[before].same(b[before]) {
		before++
	}
	for after < len(a)-before && after < len(b)-before && a[len(a)-1-after].same(b[len(b)-1-after]) {
		after++
	}
	return before, after
}

func (t token) same(u token) bool { return t.key == u.key && t.class == u.class }

// A place is where two statements differ: a in the old one, b in the new one, with what stands before and after it.
type place struct {
	was, now      []token
	before, after int
	a, b          []token
	verb          int
	changed       bool
}

// sole says why only one value can stand in a place, "" if several may.
func (p place) sole() string {
	head, tail := p.was[:p.before], p.was[len(p.was)-p.after:]
	if len(p.a) == 1 && len(p.b) == 1 || p.a[0].is("turn") && p.b[0].is("turn") && p.after == 0 {
		a, b := lists()["state"][p.a[0].word], lists()["state"][p.b[0].word]
		if a == 0 || b == 0 {
			a, b = lists()["state"][p.a[0].key], lists()["state"][p.b[0].key]
		}
		if a != 0 && a == b && len(content(head))+len(content(tail)) > 0 {
			return "cannot both be"
		}
	}
	if p.before == 0 {
		return p.holder(tail)
	}
	last := head[len(head)-1]
	if p.verb >= p.before && !last.is("bound") && !(last.name && numbered(tail)) ||
		len(content(head[:min(p.verb, len(head))])) == 0 && !own(head[0]) {
		return ""
	}
	if figure := p.figure(last, tail); figure != "" {
		return figure
	}
	if p.a[0].class != "" || p.b[0].class != "" {
		return ""
	}
	verb := ""
	if Is("names", last.key) && len(p.a)+len(p.b) == 2 && p.a[0].name && p.b[0].name {
		return "another value"
	}
	for back := 1; back <= min(3, len(head)-p.verb); back++ {
		verb = head[len(head)-back].key + pad(verb)
		if Is("sole", verb) || p.changed && Is("today", verb) || Is("with", verb) && len(content(tail)) > 0 {
			return "another value"
		}
	}
	if p.before > p.verb+1 && Is("sole", p.was[p.verb].key+" "+last.key) {
		return "another value"
	}
	if Is("numbered", last.key) && p.verb < p.before && digits(p.a[0]) && digits(p.b[0]) && !p.past() {
		return "another " + last.key
	}
	if len(head) > p.verb+1 && last.name && len(last.word) < 4 { // Dr.
		last = head[len(head)-2]
	}
	if last.is("be") && len(p.a) < 4 && len(p.b) < 4 && p.attribute(head) {
		return "another value"
	}
	return ""
}

func digits(t token) bool { return strings.ContainsAny(t.word, "0123456789") }

// numbered reports whether a version is told of: 14 is the version we run.
func numbered(tail []token) bool {
	return slices.ContainsFunc(tail, func(t token) bool { return Is("numbered", t.key) || t.word == "required" })
}

func own(t token) bool { return t.word == "we" || t.word == "i" }

func pad(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// attribute reports whether what stands before "is" is something that has one value: the owner of the shop, its colour.
func (p place) attribute(head []token) bool {
	for _, t := range head[:p.verb] {
		if t.is("attribute") || t.is("role") {
			return true
		}
	}
	named := func(ts []token) bool { return slices.ContainsFunc(ts, func(t token) bool { return t.name }) }
	return (p.changed || len(p.a)+len(p.b) == 2 && !head[0].name) && named(p.a) && named(p.b)
}

// holder says whether two of whom the same is said cannot both hold it: the lead of the team.
func (p place) holder(tail []token) string {
	if len(p.a) > 2 || len(p.b) > 2 || len(tail) < 2 || p.a[0].class != "" || p.b[0].class != "" ||
		len(content(tail)) == 0 {
		return ""
	}
	for i := p.verb; i < min(p.verb+3, len(p.was)); i++ {
		if t := p.was[i]; t.is("role") && (i == p.verb || p.was[p.verb].isAux()) {
			return "another in its place"
		}
	}
	return ""
}

// figure says whether two values are figures of one kind and unit, of which one holds.
func (p place) figure(last token, tail []token) string {
	a, b := p.a[0], p.b[0]
	if a.class == "" || a.class != b.class || p.past() {
		return ""
	}
	for _, ts := range [][]token{p.a, p.b} {
		for i, t := range ts {
			if i > 0 && t.class != a.class && unitOf(t.word) == "" && t.word != "and" && t.word != "und" && t.word != "y" &&
				t.word != "et" {
				return ""
			}
		}
	}
	if a.class == "number" {
		if len(p.a) > 1 || len(p.b) > 1 {
			if p.value(p.a) == p.value(p.b) || unitOf(p.a[len(p.a)-1].word) != unitOf(p.b[len(p.b)-1].word) {
				return ""
			}
		}
		if p.before > p.verb+1 && last.class == "" && !last.is("light") && !last.is("time.in") &&
			!last.isAux() && !isVerb(last) && !last.name && !Is("numbered", last.key) && !last.is("bound") {
			return "" // ticket 41, ticket 42
		}
		if len(tail) == 0 && len(p.a) == 1 && last.is("have") {
			return ""
		}
	}
	return "another " + a.class
}

// value is what a figure with its unit is worth.
func (p place) value(ts []token) float64 {
	v := ts[0].value
	if len(ts) > 1 {
		for _, list := range units {
			if worth, known := lists()[list][ts[1].word]; known {
				return v * worth
			} else if worth, known := lists()[list][ts[1].key]; known {
				return v * worth
			}
		}
	}
	return v
}

var units = []string{"unit.s", "unit.b", "unit.m", "unit.g", "unit.money", "unit.part"}

// unitOf returns the kind of a unit, "" of a word that is none.
func unitOf(word string) string {
	for _, list := range units {
		if Is(list, word) || Is(list, keyOf(word)) {
			return list
		}
	}
	return ""
}

// past reports whether the old statement tells what happened once.
func (p place) past() bool { return p.was[p.verb].past() }

// past reports whether a verb tells what happened once.
func (t token) past() bool {
	return t.is("form") && !t.isAux() && strings.HasSuffix(t.word, "ed") || t.is("past")
}

// rises reports whether a version follows another.
func rises(a, b, head []token) bool {
	if len(a) != 1 || len(b) != 1 || len(head) == 0 {
		return false
	}
	last := head[len(head)-1]
	return a[0].class == "number" && b[0].value > a[0].value && (last.name || last.key == "version")
}
