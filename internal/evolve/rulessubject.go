package evolve

import (
	"maps"
	"strings"
)

// subjects compares what two texts speak of.
func subjects(o, n *reading) likeness {
	om, nm := o.keys(o.subject), n.keys(n.subject)
	if o.person != "" {
		_, spoken := n.said[stemOf(o.person)]
		switch {
		case spoken && n.person != "" && n.person != o.person:
			if _, known := o.said[stemOf(n.person)]; !known && !n.changes() {
				return apart
			}
			return unsure
		case spoken && n.kinOf(o.person):
			return apart
		case spoken && o.head == n.head && differs(o, n, without(om, o.head), without(nm, n.head)):
			return apart // the public API, the internal API
		case spoken:
			return same
		case n.head == "" && n.person == "":
			return unsure
		case n.person != "" && o.said[stemOf(n.person)] != 0 && shared(o, n) > 2 && n.denies():
			return unsure // who was invited, and who was not
		case n.lasting() && shared(o, n) > 1:
			return unsure
		default:
			return apart
		}
	}
	if n.person != "" && o.kinOf(n.person) && n.said[o.head] == 0 {
		return apart
	}
	if n.person != "" && o.head != "" {
		if _, known := o.said[stemOf(n.person)]; !known {
			if _, spoken := n.said[o.head]; !spoken && !n.changesThing(o) {
				return apart
			}
		}
	}
	for k, i := range n.subject {
		if t := n.tokens[i]; t.owner && t.key == o.head && k+1 < len(n.subject) && kin.Has(n.tokens[n.subject[k+1]].word) {
			return apart
		}
	}
	if o.head == "" || n.head == "" {
		return unsure
	}
	if o.sets(n) {
		return apart
	}
	om, nm = without(om, o.head), without(nm, n.head)
	if o.head == n.head {
		if differs(o, n, om, nm) {
			return apart
		}
		return same
	}
	if identifier(o, o.head) && identifier(n, n.head) && n.said[o.head] == 0 && o.said[n.head] == 0 {
		return apart
	}
	if _, ok := n.said[o.head]; ok {
		return unsure
	}
	if _, ok := o.said[n.head]; ok {
		return unsure
	}
	for k := range om {
		if nm[k] || k == n.head {
			return unsure
		}
	}
	if n.changesThing(o) {
		return unsure
	}
	return apart
}

// leads says whether a text begins with a word that describes the next one.
func (r *reading) leads() bool {
	return len(r.tokens) > 2 && r.tokens[1].content && r.tokens[0].key[0] == '=' &&
		!strings.HasSuffix(r.tokens[1].word, "ed")
}

// sets says whether the two subjects are told apart by a word and its contrary: small orders
// and large orders.
func (r *reading) sets(other *reading) bool {
	for _, i := range r.subject {
		for _, j := range other.subject {
			t, u := r.tokens[i], other.tokens[j]
			if (t.key == r.head || u.key == other.head) && !(i == 0 && j == 0 && r.leads() && other.leads()) {
				continue
			}
			if t.key == u.key && t.affirmed() != u.affirmed() || t.key != u.key && exclusives()[t.word] > 0 &&
				exclusives()[t.word] == exclusives()[u.word] {
				return true
			}
		}
	}
	return false
}

// changesThing says whether a verb of change has an object that the old text speaks of.
func (r *reading) changesThing(o *reading) bool {
	for i, t := range r.tokens {
		if !changeVerbs.Has(t.word) {
			continue
		}
		if known, unknown := r.object(o, i); known > 0 && unknown == 0 {
			return true
		}
	}
	return false
}

// object counts the words of the object of the verb at i that the old text knows, and those
// that it does not.
func (r *reading) object(o *reading, i int) (known, unknown int) {
	for j := i + 1; j < len(r.tokens) && j < i+6; j++ {
		t := r.tokens[j]
		if t.clause != r.tokens[i].clause || prepositions.Has(t.word) || conjunctions.Has(t.word) || t.class != "" &&
			known > 0 {
			break
		}
		switch {
		case !t.content || t.class != "" || strings.HasSuffix(t.word, "ly"):
		case o.speaksOf(t):
			known++
		default:
			unknown++
		}
	}
	return known, unknown
}

// shared counts the keys that two texts have in common.
func shared(o, n *reading) int {
	both := 0
	for k := range o.said {
		if _, ok := n.said[k]; ok {
			both++
		}
	}
	return both
}

// lasting says whether a text says that something holds from a time on.
func (r *reading) lasting() bool {
	switch r.phrase() {
	case "as of",
		"now",
		"from now on",
		"took over",
		"instead of",
		"from today",
		"has taken over",
		"these days",
		"nowadays":
		return true
	}
	return strings.Contains(r.line(), " since ")
}

// identifier says whether the head of a text is written like a name in code.
func identifier(r *reading, head string) bool {
	for _, i := range r.subject {
		if t := r.tokens[i]; t.key == head {
			return strings.ContainsAny(t.word, "_./0123456789")
		}
	}
	return false
}

// without returns the words beside a head.
func without(mods map[string]bool, head string) map[string]bool {
	out := maps.Clone(mods)
	delete(out, head)
	return out
}

// differs says whether what is said of one head in two texts sets the two apart: the web
// repo and the docs repo.
func differs(o, n *reading, om, nm map[string]bool) bool {
	odd := func(mods map[string]bool, other *reading) bool {
		found := false
		for k := range mods {
			if k == "=old" || k == "=first" {
				continue
			}
			if _, ok := other.said[k]; ok {
				return false
			}
			found = true
		}
		return found
	}
	return odd(om, n) && odd(nm, o)
}

// kinOf says whether the subject is a person or thing of somebody: Tomas's sister.
func (r *reading) kinOf(person string) bool {
	for k, i := range r.subject {
		if t := r.tokens[i]; t.owner && t.word == person {
			return k+1 < len(r.subject) && kin.Has(r.tokens[r.subject[k+1]].word)
		}
	}
	return false
}

// changes says whether there is a word of change at all.
func (r *reading) changes() bool {
	for _, t := range r.tokens {
		if changeVerbs.Has(t.word) {
			return true
		}
	}
	return len(r.phrase()) > 0
}
