package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// gone finds that what the old statement says is over: no longer, stopped, left. All that the new one is about stands
// in the old one.
func gone(o, n statement) *Relation {
	ends := slices.IndexFunc(n.tokens, func(t token) bool { return t.is("left") || t.is("stop") })
	over := slices.IndexFunc(n.tokens, func(t token) bool { return t.is("over") })
	if !n.ended && ends < 0 && over <= n.verb || o.denied {
		return nil
	}
	said, was := content(o.tokens), content(o.tokens[o.verb:])
	rest := n.tokens
	if !subset(content(rest[n.verb+1:]), said) {
		for i := n.verb + 2; i < len(n.tokens); i++ { // the time or the reason at the end is not of the slot
			if (n.tokens[i].is("time.in") && !slices.Contains(keys(o.tokens), n.tokens[i].key) ||
				n.tokens[i].is("since")) && subset(content(rest[n.verb+1:i]), said) {
				rest = rest[:i]
				break
			}
		}
	}
	left := ends >= 0 && n.tokens[ends].is("left")
	if at := slices.IndexFunc(rest, func(t token) bool { return t.is("at.new") }); left && at > ends {
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
		if object = content(rest[:n.verb]); !subset(object, was) || verb.past() {
			return nil
		}
		if len(rest) > over+1 {
			object = append(object, content(rest[over+1:])...)
		}
	case n.ended && len(content(n.tokens)) > 1 && subset(content(n.tokens), said): // it is told from the other end
	case !sameSubject(o, n):
		return nil
	case left && !n.tokens[ends].is("stop"):
		if class, _ := o.classed(); class != "job" &&
			!slices.ContainsFunc(o.tokens[o.verb:], func(t token) bool { return t.is("at") }) {
			return nil
		}
	case n.ended && !n.tokens[n.verb].isAux() && !verb.isAux() && n.tokens[n.verb].key != verb.key:
		return nil // no longer writes what it reads
	}
	if !verb.isAux() && len(was) > 1 && !n.ended {
		was = was[1:]
	}
	if !slices.ContainsFunc(o.tokens, func(t token) bool { return t.class == "" && slices.Contains(object, t.key) }) {
		return nil
	}
	if !subset(object, said) || len(was) == 0 || !n.ended && !slices.Contains(object, was[0]) &&
		!slices.Contains(object, content(o.tokens[o.verb:])[0]) {
		return nil
	}
	now := n.tokens[n.verb:]
	if n.whole != nil {
		now = n.whole
	}
	r := told(memory.Update, "no longer", o.tokens[o.verb:], now)
	r.plain = true
	if n.ruled && !n.now {
		r.Type = memory.Contradict
	}
	return r
}

// keys are those of some tokens.
func keys(ts []token) (all []string) {
	for _, t := range ts {
		all = append(all, t.key)
	}
	return all
}

// isVerb reports whether a word is a form of a verb.
func isVerb(t token) bool { return t.is("form") || t.is("verb") }

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
		return t.is("change") && t.word != "a" && t.word != "hat" || t.is("takes") || t.is("replace")
	})
}

// classed returns which of home and job a statement tells, and where.
func (s statement) classed() (class string, at []string) {
	for i := s.verb; i < len(s.tokens); i++ {
		t := s.tokens[i]
		for _, class := range []string{"home", "job"} {
			for j := i + 1; j < min(i+5, len(s.tokens)); j++ {
				if j > i+1 && !s.tokens[i+1].is("from") {
					break
				}
				if p := s.tokens[j]; lists()[class][t.word+" "+p.word]+lists()[class][t.key+" "+p.key] > 0 {
					return class, named(s.tokens[j+1:])
				}
			}
			if Is(class, t.word) && i == s.verb {
				return class, named(s.tokens[i+1:])
			}
			away := func(t token) bool { return t.is("from") || t.word == "nach" }
			if from := slices.IndexFunc(s.tokens, away); from > s.verb && i > from &&
				lists()[class][t.word+" nach"] > 0 { // ist von Köln nach Bonn gezogen
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
	if len(ts) == 0 || !ts[0].name && !(len(ts) > 1 && ts[1].name) && !strings.ContainsAny(ts[0].word, "0123456789") {
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
	if len(a) != len(b) && !(allNames(o.tokens[:o.verb]) && allNames(n.tokens[:n.verb])) {
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
			next.is("time.in") && t.class == ""
		if t.is("since") || t.is("time.in") && timed ||
			t.word == "last" || t.word == "this" || t.word == "next" {
			return ts[:i]
		}
	}
	return ts
}
