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
		for _, t := range ts[:min(4, len(ts))] {
			all = append(all, shorten.To(t.text, 40))
		}
		return strings.Join(all, " ")
	}
	return &Relation{Type: kind, Confidence: sure, Reason: why + ": " + said(was) + " → " + said(now)}
}

// gone finds that what the old statement says is over: no longer, stopped, left. All that the new one is about stands
// in the old one.
func gone(o, n statement) *Relation {
	verb := n.tokens[n.verb]
	left, stopped := is("left", verb.word), is("stop", verb.word)
	if !n.ended && !left && !stopped || !sameSubject(o, n) || o.denied {
		return nil
	}
	said := content(o.tokens)
	shared := 0
	rest := untimed(n.tokens)
	if at := slices.IndexFunc(rest, func(t token) bool { return is("at.new", t.word) }); left && at > 0 {
		rest = rest[:at] // left A for B
	}
	for _, t := range rest[min(n.verb, len(rest)):] {
		for _, key := range content([]token{t}) {
			if slices.Contains(said, key) {
				shared++
			} else if t.word != verb.word && !isVerb(t) {
				return nil
			}
		}
	}
	if shared == 0 {
		return nil
	}
	if left {
		class, _ := o.classed()
		if class != "job" && !slices.ContainsFunc(o.tokens[o.verb:], func(t token) bool { return is("at", t.word) }) {
			return nil
		}
	} else if n.ended && !isAux(verb.word) && !isAux(o.tokens[o.verb].word) && verb.key != o.tokens[o.verb].key {
		return nil // no longer writes what it reads
	}
	r := told(memory.Update, verb.word, o.tokens[o.verb:], n.tokens[n.verb:])
	r.Reason, r.plain = "no longer: "+r.Reason, true
	return r
}

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
		return is("change", t.word) && t.word != "a" && t.word != "hat" || is("takes over", t.word) || is("replace", t.word)
	})
}

// classed returns which of home and job a statement tells, and where.
func (s statement) classed() (class string, at []string) {
	for i := s.verb; i < len(s.tokens); i++ {
		for _, class := range []string{"home", "job"} {
			for j := i + 1; j < len(s.tokens) && j < i+4; j++ {
				prep := s.tokens[j]
				if j > i+1 && s.tokens[i+1].word != "from" && s.tokens[i+1].word != "von" && s.tokens[i+1].word != "de" && j > i+2 {
					break
				}
				if lists()[class][s.tokens[i].word+" "+prep.word] == 0 && lists()[class][s.tokens[i].key+" "+prep.key] == 0 {
					continue
				}
				return class, content(untimed(s.tokens[j+1:]))
			}
			if class == "job" && s.tokens[i].word == "joined" || class == "home" && i > 1 &&
				(s.tokens[i].word == "gezogen" || s.tokens[i].word == "umgezogen") {
				for j := s.verb; j < len(s.tokens); j++ {
					if s.tokens[j].word == "nach" || s.tokens[j].word == "joined" {
						return class, content(untimed(s.tokens[j+1:]))[:1]
					}
				}
			}
		}
	}
	return "", nil
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
	if len(a) != len(b) && !o.tokens[0].name && !n.tokens[0].name {
		return false
	}
	return subset(a, b)
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
	if is("instead", joint(ts)) && subset(content(gone), content(o.tokens[:o.verb])) { // Ben, not Ana
		come, rest = ts[:n.verb], come
	}
	if len(gone) == 0 || len(come) == 0 || o.denied {
		return nil
	}
	was, said := content(o.tokens[o.verb:]), content(o.tokens)
	if len(content(gone)) == 0 || !subset(content(gone), was) && joint(ts) == "" || !subset(content(gone), said) {
		return nil
	}
	shared := 0
	for _, t := range untimed(rest) {
		for _, key := range content([]token{t}) {
			switch {
			case slices.Contains(said, key):
				shared++
			case !is("change", t.word) && !is("replace", t.word) && !is("takes_over", t.word) && !is("takes over", t.word):
				return nil
			}
		}
	}
	same := o.verb > 0 && o.tokens[0].word == ts[0].word && (ts[0].word == "we" || ts[0].word == "i")
	if shared == 0 && !same || !slices.ContainsFunc(content(come), func(k string) bool { return !slices.Contains(said, k) }) {
		return nil
	}
	r := told(memory.Update, "replaced", gone, come)
	r.plain = true
	return r
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
		if is("instead", t.word) {
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
			}
		case is("takes over", t.word) || is("takes_over", t.word):
			if from := find(i+1, "from"); from > i+1 && from+1 < len(ts) {
				return ts[from+1:], ts[:i], ts[i+1 : from]
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
	if len(a) < 2 || len(b) <= len(a) || o.denied != n.denied || n.ended || n.changes() {
		return false
	}
	return subset(a, b)
}
