package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// RulesVersion names the rules. Other rules are another version.
const RulesVersion = "rules/7"

// Rules finds by plain rules, without any model, what a new memory updates or contradicts among old ones, and gives
// the surest relation, or nil. It tells one only where both name the same slot: the same subject and the same relation,
// figure or role, with another value, or the old value as one that is gone. It reads English, German, French and
// Spanish. The same memories give the same relation.
//
// A link goes to the newest of the memories that fill the slot. What changes or contradicts an old memory goes before
// what extends one. It does not look for what derives.
func Rules(new Memory, old []Memory) *Relation {
	n := read(new)
	if len(n) == 0 {
		return nil
	}
	var best *Relation
	for i, m := range old {
		r := relation(read(m), n)
		if r == nil {
			continue
		}
		r.Candidate, r.Detector = i, RulesVersion
		if r = Allowed(r, new, len(old)); r != nil && (best == nil || r.before(best, m, old[best.Candidate])) {
			best = r
		}
	}
	for best != nil && best.Type != memory.Extend { // what was replaced already leads to what replaced it
		head := best.Candidate
		for i, m := range old {
			if m.At.After(old[head].At) && relation(read(old[head]), read(m)).replaces() {
				head = i
			}
		}
		if head == best.Candidate {
			break
		}
		best.Candidate = head
	}
	return best
}

func (r *Relation) replaces() bool { return r != nil && r.Type != memory.Extend }

// before reports whether a relation is to be told rather than another: what extends last, then the one to the newer.
func (r *Relation) before(other *Relation, mine, its Memory) bool {
	if a, b := r.Type == memory.Extend, other.Type == memory.Extend; a != b {
		return b
	}
	if r.plain != other.plain {
		return r.plain
	}
	if !mine.At.Equal(its.At) {
		return mine.At.After(its.At)
	}
	return r.Confidence >= other.Confidence
}

// relation says how the statements of a new memory relate to those of an old one; nil is not at all.
func relation(old, new []statement) *Relation {
	for _, o := range old {
		for _, n := range new {
			if r := o.against(n); r != nil {
				return r
			}
		}
	}
	if len(old) == 1 && len(new) > 0 && old[0].within(new[0]) {
		return &Relation{Type: memory.Extend, Confidence: 0.4, Reason: "says more"}
	}
	return nil
}

// against compares an old statement with a new one.
func (o statement) against(n statement) *Relation {
	if n.also || len(n.tokens) == 0 || len(o.tokens) == 0 || o.ended && !n.ended {
		return nil
	}
	for _, rule := range []func(o, n statement) *Relation{gone, moved, instead, other} {
		if r := rule(o, n); r != nil {
			return r
		}
	}
	return nil
}

// told makes a relation of the words that a new statement has in the place of the old ones.
func told(kind, why string, was, now []token) *Relation {
	sure := 0.5
	if kind == memory.Update {
		sure = 0.6
	}
	said := func(ts []token) string {
		var all []string
		for _, t := range ts[:min(6, len(ts))] {
			all = append(all, shorten.To(t.text, 40))
		}
		return strings.Join(all, " ")
	}
	return &Relation{Type: kind, Confidence: sure, Reason: why + ": " + said(was) + " → " + said(now)}
}

// gone finds that what the old statement says is over: no longer, stopped, left. All that the new one is about stands
// in the old one.
func gone(o, n statement) *Relation {
	ends := slices.IndexFunc(n.tokens, func(t token) bool { return is("left", t.word) || is("stop", t.word) })
	over := slices.IndexFunc(n.tokens, func(t token) bool { return is("over", t.word) })
	if !n.ended && ends < 0 && over <= n.verb || o.denied {
		return nil
	}
	said, was := content(o.tokens), content(o.tokens[o.verb:])
	rest := n.tokens
	if !subset(content(rest[n.verb+1:]), said) {
		rest = untimed(rest)
	}
	left := ends >= 0 && is("left", n.tokens[ends].word)
	if at := slices.IndexFunc(rest, func(t token) bool { return is("at.new", t.word) }); left && at > ends {
		rest = rest[:at] // left A for B
	}
	if len(rest) <= n.verb {
		return nil
	}
	var object []string
	for i, t := range rest[n.verb:] {
		if i+n.verb != ends && i+n.verb != over && (!strings.HasSuffix(t.word, "ing") || slices.Contains(said, t.key)) {
			object = append(object, content([]token{t})...)
		}
	}
	verb := o.tokens[o.verb]
	switch {
	case over > n.verb && !n.ended: // Redis is out
		if object = content(rest[:n.verb]); !subset(object, was) || past(verb.word) {
			return nil
		}
		if len(rest) > over+1 {
			object = append(object, content(rest[over+1:])...)
		}
	case n.ended && len(content(rest)) > 1 && subset(content(rest), said): // it is told from the other end
	case !sameSubject(o, n):
		return nil
	case left && !is("stop", n.tokens[ends].word):
		if class, _ := o.classed(); class != "job" &&
			!slices.ContainsFunc(o.tokens[o.verb:], func(t token) bool { return is("at", t.word) }) {
			return nil
		}
	case n.ended && !isAux(n.tokens[n.verb].word) && !isAux(verb.word) && n.tokens[n.verb].key != verb.key:
		return nil // no longer writes what it reads
	}
	if !isAux(verb.word) && len(was) > 1 && !n.ended {
		was = was[1:]
	}
	if len(object) == 0 || !subset(object, said) || len(was) == 0 || !n.ended && !slices.Contains(object, was[0]) &&
		!slices.Contains(object, content(o.tokens[o.verb:])[0]) {
		return nil
	}
	r := told(memory.Update, "no longer", o.tokens[o.verb:], n.whole)
	if len(n.whole) == 0 {
		r = told(memory.Update, "no longer", o.tokens[o.verb:], n.tokens[n.verb:])
	}
	r.plain = true
	return r
}

// isVerb reports whether a word is a form of a verb.
func isVerb(t token) bool { return is("form", t.word) || is("verb", t.word) }

// moved finds another home or employer of the same subject.
func moved(o, n statement) *Relation {
	class, was := o.classed()
	other, now := n.classed()
	if class == "" || class != other || len(was) == 0 || len(now) == 0 || !sameSubject(o, n) || o.denied || n.denied ||
		slices.Equal(was, now) || slices.Contains(was, now[0]) {
		return nil
	}
	change := n.changes()
	if change || n.now {
		return told(memory.Update, "now", o.tokens[o.verb:], n.tokens[n.verb:])
	}
	if len(o.tokens)+len(n.tokens) > 14 {
		return nil
	}
	return told(memory.Contradict, "another "+class, o.tokens[o.verb:], n.tokens[n.verb:])
}

// changes reports whether a statement has a verb of change.
func (s statement) changes() bool {
	return slices.ContainsFunc(s.tokens[s.verb:], func(t token) bool {
		return is("change", t.word) && t.word != "a" && t.word != "hat" || is("takes", t.word) || is("replace", t.word)
	})
}

// classed returns which of home and job a statement tells, and where.
func (s statement) classed() (class string, at []string) {
	for i := s.verb; i < len(s.tokens); i++ {
		t := s.tokens[i]
		for _, class := range []string{"home", "job"} {
			for j := i + 1; j < min(i+5, len(s.tokens)); j++ {
				if j > i+1 && !is("from", s.tokens[i+1].word) {
					break
				}
				if p := s.tokens[j]; lists()[class][t.word+" "+p.word]+lists()[class][t.key+" "+p.key] > 0 {
					return class, named(s.tokens[j+1:])
				}
			}
			if is(class, t.word) && i == s.verb {
				return class, named(s.tokens[i+1:])
			}
			if from := slices.IndexFunc(s.tokens, func(t token) bool { return is("from", t.word) || t.word == "nach" }); from > s.verb &&
				i > from && lists()[class][t.word+" nach"] > 0 { // ist von Köln nach Bonn gezogen
				to := slices.IndexFunc(s.tokens, func(t token) bool { return t.word == "nach" })
				return class, named(s.tokens[to+1:])
			}
		}
	}
	return "", nil
}

// named returns what a place or an employer is called; nothing where it has no name.
func named(ts []token) []string {
	ts = untimed(ts)
	if len(ts) == 0 || !ts[0].name && !(len(ts) > 1 && ts[1].name) {
		return nil
	}
	return content(ts)
}

// sameSubject reports whether two statements are of one subject: all that names it in one stands in the other.
func sameSubject(o, n statement) bool {
	a, b := content(o.tokens[:o.verb]), content(n.tokens[:n.verb])
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b) && len(o.tokens) > 0 && o.tokens[0].word == n.tokens[0].word && o.verb > 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) != len(b) && (!o.tokens[0].name || !n.tokens[0].name || !allNames(o.tokens[:o.verb]) || !allNames(n.tokens[:n.verb])) {
		return false
	}
	return subset(a, b)
}

func allNames(ts []token) bool {
	return !slices.ContainsFunc(ts, func(t token) bool { return !t.name })
}

// untimed takes the reason or the time off the end of a statement.
func untimed(ts []token) []token {
	for i, t := range ts {
		if i == 0 || i+1 >= len(ts) {
			continue
		}
		next := ts[i+1]
		timed := next.class == "weekday" || next.class == "month" || next.class == "date" || next.class == "time" ||
			is("time.in", next.word) && t.class == ""
		if is("since", t.word) || is("time.in", t.word) && timed || t.word == "last" || t.word == "this" || t.word == "next" {
			return ts[:i]
		}
	}
	return ts
}

// instead finds a new value and the old one named as replaced: from X to Y, replaced X with Y, Y instead of X.
func instead(o, n statement) *Relation {
	ts := n.tokens
	gone, come, rest := replacing(n)
	if gone == nil {
		gone, come, rest = raised(o, n)
	}
	said := content(o.tokens)
	if len(content(gone)) == 0 || len(content(come)) == 0 || o.denied || !subset(content(gone), said) {
		return nil
	}
	if at := slices.IndexFunc(ts, func(t token) bool { return is("instead", t.word) }); at > 0 {
		before, after := common(o.tokens, ts[:at])
		if before+after < 2 {
			return nil
		}
		a := o.tokens[before : len(o.tokens)-after]
		if len(ts[:at])-before-after > 4 || len(content(a)) == 0 || !subset(content(a), content(gone)) {
			return nil
		}
		come = ts[before : at-after]
	} else if !subset(content(gone), content(o.tokens[o.verb:])) && !is("takes", joint(ts)) && !is("replace", joint(ts)) {
		return nil
	} else if !about(o, n, rest, said) {
		return nil
	}
	if subset(content(come), said) {
		return nil
	}
	r := told(memory.Update, "replaced", gone, come)
	r.plain = true
	return r
}

// about reports whether the words beside both values are of the old statement, and name what it is about.
func about(o, n statement, rest []token, said []string) bool {
	shared := 0
	for _, t := range untimed(rest) {
		for _, key := range content([]token{t}) {
			switch {
			case slices.Contains(said, key):
				shared++
			case !is("change", t.word) && !is("replace", t.word) && !is("takes", t.word):
				return false
			}
		}
	}
	return shared > 0 || o.verb > 0 && o.tokens[0].word == n.tokens[0].word && own(n.tokens[0])
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(k string) bool { return !slices.Contains(all, k) })
}

// raised returns the figure of an old statement that a new one says went to another of its kind.
func raised(o, n statement) (gone, come, rest []token) {
	at := slices.IndexFunc(n.tokens, func(t token) bool { return is("to", t.word) })
	if at < n.verb || at+1 >= len(n.tokens) || n.tokens[at+1].class == "" || !n.changes() {
		return nil, nil, nil
	}
	was := slices.IndexFunc(o.tokens, func(t token) bool { return t.class == n.tokens[at+1].class })
	if was < o.verb || n.tokens[at+1].class == "number" && unitAt(o.tokens, was+1) != unitAt(n.tokens, at+2) {
		return nil, nil, nil
	}
	return o.tokens[was : was+1], n.tokens[at+1:], append(slices.Clone(n.tokens[:n.verb]), n.tokens[n.verb+1:at]...)
}

func unitAt(ts []token, i int) string {
	if i >= len(ts) {
		return ""
	}
	return unitOf(ts[i].word)
}

// joint is the word by which a statement names a value that is gone, "" if none does.
func joint(ts []token) string {
	for _, t := range ts {
		if is("replace", t.word) || is("takes", t.word) {
			return t.word
		}
	}
	return ""
}

// replacing returns what a statement says is gone, what came in its place, and the other words.
func replacing(n statement) (gone, come, rest []token) {
	ts := n.tokens
	find := func(from int, all ...string) int {
		for i := from; i < len(ts); i++ {
			if slices.Contains(all, ts[i].word) {
				return i
			}
		}
		return -1
	}
	for i, t := range ts {
		switch {
		case is("instead", t.word) && i > n.verb && i+1 < len(ts):
			return ts[i+1:], ts[n.verb+1 : i], ts[:n.verb]
		case is("replace", t.word) && i > 0 && isAux(ts[i-1].word): // X was replaced by Y
			if by := find(i+1, "by", "with", "durch", "par", "por"); by == i+1 {
				return ts[:n.verb], ts[by+1:], nil
			}
		case is("replace", t.word) && i > 0:
			if by := find(i+1, "with", "by", "par", "por", "durch"); by > i+1 {
				return ts[i+1 : by], ts[by+1:], ts[:i]
			} else if as := find(i+1, "as", "als"); as > i+1 {
				return ts[i+1 : as], ts[:i], ts[as+1:]
			}
		case is("takes", t.word):
			if as := find(i+1, "as", "als"); as > i+2 && ts[i+1].word == "from" {
				return ts[i+2 : as], ts[:i], ts[as+1:]
			} else if from := find(i+1, "from"); from > i && from+1 < len(ts) {
				return ts[from+1:], ts[:i], ts[i+1 : from]
			} else if as > i+1 {
				return ts[i+1 : as], ts[:i], ts[as+1:]
			}
		case (t.word == "from" || t.word == "von" || t.word == "de") && i > n.verb && i < n.verb+8 && n.changes():
			to := find(i+1, "to", "auf", "nach", "zu", "à", "a")
			if to > i+1 && to+1 < len(ts) {
				return ts[i+1 : to], ts[to+1:], append(slices.Clone(ts[:n.verb]), ts[n.verb+1:i]...)
			}
		}
	}
	return nil, nil, nil
}

// within reports whether a new statement repeats an old one and says more.
func (o statement) within(n statement) bool {
	a, b := content(o.tokens), content(n.tokens)
	if len(a) < 2 || len(b) <= len(a) || o.denied != n.denied || n.ended || n.changes() ||
		slices.ContainsFunc(n.tokens, func(t token) bool { return is("stop", t.word) || is("over", t.word) }) {
		return false
	}
	return subset(a, b)
}
