package evolve

import "strings"

// deny marks what is denied: the word that follows "not", the noun and what becomes of it
// after "no", the verb beside "nothing" and "nobody".
func (r *reading) deny() {
	ts := r.tokens
	for i, t := range ts {
		if t.word == "free" && i > 0 && ts[i-1].content && ts[i-1].class == "" && ts[i-1].clause == t.clause && i-1 != r.verb && !verbForms[ts[i-1].word] && i > 1 && !strings.HasSuffix(ts[i-1].word, "ly") {
			ts[i-1].denied++ // sugar free
		}
		if !negators[t.word] && !r.declines(i) || r.harmless(i) {
			continue
		}
		most := 1
		if j := r.nextContent(i); j > 0 && light[ts[j].word] {
			most = 2 // not eat meat
		}
		if t.word == "no" || t.word == "without" || t.word == "zero" {
			most = 3
		}
		for j := i + 1; j < len(ts) && most > 0 && ts[j].clause == t.clause && !conjunctions[ts[j].word] && !negators[ts[j].word]; j++ {
			if ts[j].content && !strings.HasSuffix(ts[j].word, "ly") && ts[j].class == "" {
				if !ts[j].half {
					ts[j].denied++
					most--
				}
			}
			if prepositions[ts[j].word] && most < 3 && t.word != "not" {
				most = min(most, 1)
			}
		}
		if j := r.nextContent(i); j > 0 && (strings.HasPrefix(ts[j].word, "happen") || strings.HasPrefix(ts[j].word, "occur") || ts[j].word == "exist") || t.word == "nothing" || t.word == "nobody" || t.word == "none" || t.word == "nowhere" {
			for j := i - 1; j >= 0 && ts[j].clause == t.clause && !conjunctions[ts[j].word]; j-- {
				if ts[j].content {
					ts[j].denied++
					break
				}
			}
		}
	}
}

// declines says whether the word at i denies what comes after it: refuses to, fails to.
func (r *reading) declines(i int) bool {
	return declining[r.tokens[i].word] && i+1 < len(r.tokens) && r.tokens[i+1].word == "to"
}

var declining = wordSet(`refuse refuses refused decline declines declined fail fails failed neglects forgot forgets impossible unable unwilling`)

var light = wordSet(`eat have use drink own get want need wear take support`)

// nextContent gives the next word that says something, 0 if there is none in the clause.
func (r *reading) nextContent(i int) int {
	for j := i + 1; j < len(r.tokens) && r.tokens[j].clause == r.tokens[i].clause; j++ {
		if r.tokens[j].content || light[r.tokens[j].word] {
			return j
		}
	}
	return 0
}

// harmless says whether the negator at i denies nothing: no longer, not only.
func (r *reading) harmless(i int) bool {
	ts := r.tokens
	if i+1 < len(ts) {
		switch next := ts[i+1].word; ts[i].word + " " + next {
		case "no longer", "no more", "not only", "not just", "no matter", "no later", "no less", "not until", "nothing but", "none other":
			return true
		}
	}
	for j := i + 1; j < len(ts) && ts[j].clause == ts[i].clause; j++ {
		if w := ts[j].word; w == "anymore" || (w == "more" || w == "longer") && ts[j-1].word == "any" {
			return true
		}
	}
	return false
}

// tricky says whether a text denies with an exception, so that the sign of its words is not plain.
func (r *reading) tricky() bool {
	denies, excepts, clause := false, false, -1
	for _, t := range r.tokens {
		if t.clause != clause {
			denies, clause = false, t.clause
		}
		denies = denies || negators[t.word] && t.word != "without"
		excepts = excepts || t.word == "only" || t.word == "unless" || t.word == "until" || t.word == "except" || t.word == "without" && denies
	}
	return excepts
}

// findSubject finds the first subject and the first verb.
func (r *reading) findSubject() {
	ts := r.tokens
	at := r.afterLead()
	start := at
	if at >= len(ts) {
		return
	}
	for ; at < len(ts) && ts[at].clause == ts[start].clause; at++ {
		if r.isVerb(at, start) {
			r.verb = at
			break
		}
	}
	end := at
	if r.verb < 0 { // a fragment: the subject is what stands before a preposition or a value
		for end = start; end < at && (end == start || !prepositions[ts[end].word]) && ts[end].class == ""; end++ {
		}
	}
	past := false
	for i := start; i < end; i++ {
		t := ts[i]
		if prepositions[t.word] {
			past = true
			continue
		}
		if !t.content {
			continue
		}
		r.subject = append(r.subject, i)
		if !past && t.class == "" && !t.owner {
			r.head = t.key
			r.person = ""
			if t.name {
				r.person = t.word
			}
		}
	}
	if last := len(r.subject) - 1; r.head == "" && last >= 0 && ts[r.subject[last]].class == "" {
		r.head = ts[r.subject[last]].key
	}
}

// afterLead gives the place after "In the May outage" and the like.
func (r *reading) afterLead() int {
	ts := r.tokens
	i := 0
	for i < len(ts) && (conjunctions[ts[i].word] || ts[i].word == "also" || ts[i].word == "now" || ts[i].word == "finally") {
		i++
	}
	if i >= len(ts) || !prepositions[ts[i].word] && ts[i].word != "besides" {
		return i
	}
	for j := i + 1; j < len(ts); j++ {
		if ts[j].clause != ts[i].clause {
			return j
		}
		timed := j == i+2 && (ts[j-1].class == "weekday" || ts[j-1].class == "date" || ts[j-1].class == "month" || ts[j-1].class == "number") && ts[j].content && ts[j].class == ""
		if timed {
			return j
		}
		begins := determiners[ts[j].word] || pronouns[ts[j].word] || ts[j].name && !ts[j-1].name && ts[j].class == ""
		if begins && j > i+1 && !determiners[ts[j-1].word] && !prepositions[ts[j-1].word] {
			return j
		}
	}
	return i
}

// isVerb says whether the word at i is the finite verb of a clause that begins at start.
func (r *reading) isVerb(i, start int) bool {
	ts := r.tokens
	t := ts[i]
	next := func(k int) string {
		if i+k < len(ts) && ts[i+k].clause == t.clause {
			return ts[i+k].word
		}
		return ""
	}
	switch {
	case t.class != "" || t.owner:
		return false
	case auxiliaries[t.word]:
		return true
	case i == start+1 && ts[start].name && !ts[start].owner && strings.HasSuffix(t.word, "s") && len(t.word) > 3:
		return true
	case !verbForms[t.word] && !changeVerbs[t.word]:
		return false
	case i == start:
		for k := 1; k < 5; k++ {
			if auxiliaries[next(k)] {
				return false
			}
		}
		return !verbForms[next(1)] && !(verbForms[next(2)] && !baseVerbs[next(2)])
	case determiners[ts[i-1].word] || ts[i-1].owner || prepositions[ts[i-1].word] && ts[i-1].word != "to" || ts[i-1].word == "to":
		return false
	case auxiliaries[next(1)] && next(1) != "be":
		return false
	case baseVerbs[t.word]:
		w := ts[i-1].word
		return pronouns[w] || strings.HasSuffix(w, "s") && !ts[i-1].owner || w == "people" || negators[w] || i > start+1 && ts[i-2].word == "and"
	}
	return true
}

// keys are the keys of places.
func (r *reading) keys(places []int) map[string]bool {
	m := map[string]bool{}
	for _, i := range places {
		m[r.tokens[i].key] = true
	}
	return m
}

// Whether two readings speak of one subject.
type likeness int

const (
	apart likeness = iota
	unsure
	same
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
		if t := n.tokens[i]; t.owner && t.key == o.head && k+1 < len(n.subject) && kin[n.tokens[n.subject[k+1]].word] {
			return apart
		}
	}
	if o.head == "" || n.head == "" {
		return unsure
	}
	if o.sets(n) {
		return apart
	}
	delete(om, o.head)
	delete(nm, n.head)
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
	return len(r.tokens) > 2 && r.tokens[1].content && r.tokens[0].key[0] == '=' && !strings.HasSuffix(r.tokens[1].word, "ed")
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
			if t.key == u.key && t.affirmed() != u.affirmed() || t.key != u.key && exclusives[t.word] > 0 && exclusives[t.word] == exclusives[u.word] {
				return true
			}
		}
	}
	return false
}

// changesThing says whether a verb of change has an object that the old text speaks of.
func (r *reading) changesThing(o *reading) bool {
	for i, t := range r.tokens {
		if !changeVerbs[t.word] {
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
		if t.clause != r.tokens[i].clause || prepositions[t.word] || conjunctions[t.word] || t.class != "" && known > 0 {
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
	case "as of", "now", "from now on", "took over", "instead of", "from today", "has taken over", "these days", "nowadays":
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
			return k+1 < len(r.subject) && kin[r.tokens[r.subject[k+1]].word]
		}
	}
	return false
}

// changes says whether there is a word of change at all.
func (r *reading) changes() bool {
	for _, t := range r.tokens {
		if changeVerbs[t.word] {
			return true
		}
	}
	return len(r.phrase()) > 0
}
