package evolve

import (
	"slices"

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
	said := make([][]statement, len(old))
	for i, m := range old {
		said[i] = read(m)
		r := relation(said[i], n)
		if r == nil {
			continue
		}
		r.Candidate, r.Detector = i, RulesVersion
		if r = Allowed(r, new, len(old)); r != nil && (best == nil || r.before(best, m, old[best.Candidate])) {
			best = r
		}
	}
	for again := false; best != nil && best.Type != memory.Extend; { // what was replaced already leads to what replaced it
		head := best.Candidate
		for i, m := range old {
			if r := relation(said[head], said[i]); m.At.After(old[head].At) && r.replaces() {
				head, again = i, r.SameChange(best)
			}
		}
		if head == best.Candidate {
			if again { // the new memory says once more what the newest one changed
				return nil
			}
			break
		}
		best.Candidate = head
	}
	return best
}

// SameChange reports whether two relations tell the same change of one value into another.
func (r *Relation) SameChange(other *Relation) bool {
	return r.replaces() && other.replaces() && r.Reason == other.Reason
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

// within reports whether a new statement repeats an old one and says more.
func (o statement) within(n statement) bool {
	a, b := content(o.tokens), content(n.tokens)
	if len(a) < 2 || o.tokens[0].key != n.tokens[0].key ||
		o.tokens[o.verb].key != n.tokens[n.verb].key || len(b) <= len(a) || o.denied != n.denied || n.ended || n.changes() ||
		slices.ContainsFunc(n.tokens, func(t token) bool { return t.is("stop") || t.is("over") }) {
		return false
	}
	return subset(a, b)
}
