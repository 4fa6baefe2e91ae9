package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// deny marks what is denied: the word that follows "not", the noun and what becomes of it
// after "no", the verb beside "nothing" and "no one".
func (r *reading) deny() {
	ts := r.tokens
	for i, t := range ts {
		if t.word == "free" && i > 0 && ts[i-1].content && ts[i-1].class == "" && ts[i-1].clause == t.clause &&
			i-1 != r.verb && !verbForms()[ts[i-1].word] && i > 1 && !strings.HasSuffix(ts[i-1].word, "ly") {
			ts[i-1].denied++ // sugar free
		}
		if !negators.Has(t.word) && !r.declines(i) || r.harmless(i) {
			continue
		}
		most := 1
		if j := r.nextContent(i); j > 0 && light.Has(ts[j].word) {
			most = 2 // not eat meat
		}
		if t.word == "no" || t.word == "without" || t.word == "zero" {
			most = 3
		}
		for j := i + 1; j < len(ts) && most > 0 && ts[j].clause == t.clause && !conjunctions.Has(ts[j].word) &&
			!negators.Has(ts[j].word); j++ {
			if ts[j].content && !strings.HasSuffix(ts[j].word, "ly") && ts[j].class == "" {
				if !ts[j].half {
					ts[j].denied++
					most--
				}
			}
			if prepositions.Has(ts[j].word) && most < 3 && t.word != "not" {
				most = min(most, 1)
			}
		}
		if j := r.nextContent(i); j > 0 && (strings.HasPrefix(ts[j].word, "happen") ||
			strings.HasPrefix(ts[j].word, "occur") || ts[j].word == "exist") || t.word == "nothing" || t.word == "nobody" ||
			t.word == "none" || t.word == "nowhere" {
			for j := i - 1; j >= 0 && ts[j].clause == t.clause && !conjunctions.Has(ts[j].word); j-- {
				if ts[j].content {
					ts[j].denied++
					break
				}
			}
		}
	}
}

var light = lazy.Words(`eat have use drink own get want need wear take support`)

// nextContent returns the next word that says something, 0 if there is none in the clause.
func (r *reading) nextContent(i int) int {
	for j := i + 1; j < len(r.tokens) && r.tokens[j].clause == r.tokens[i].clause; j++ {
		if r.tokens[j].content || light.Has(r.tokens[j].word) {
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
		case "no longer",
			"no more",
			"not only",
			"not just",
			"no matter",
			"no later",
			"no less",
			"not until",
			"nothing but",
			"none other":
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
		denies = denies || negators.Has(t.word) && t.word != "without"
		excepts = excepts || t.word == "only" || t.word == "unless" || t.word == "until" || t.word == "except" ||
			t.word == "without" && denies
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
		for end = start; end < at && (end == start || !prepositions.Has(ts[end].word)) && ts[end].class == ""; end++ {
		}
	}
	past := false
	for i := start; i < end; i++ {
		t := ts[i]
		if prepositions.Has(t.word) {
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
			if t.name && !t.identifier() {
				r.person = t.word
			}
		}
	}
	if last := len(r.subject) - 1; r.head == "" && last >= 0 && ts[r.subject[last]].class == "" {
		r.head = ts[r.subject[last]].key
	}
}

// afterLead returns the place after "In the May outage" and the like.
func (r *reading) afterLead() int {
	ts := r.tokens
	i := 0
	for i < len(ts) && (conjunctions.Has(ts[i].word) || ts[i].word == "also" || ts[i].word == "now" ||
		ts[i].word == "finally") {
		i++
	}
	if i >= len(ts) || !prepositions.Has(ts[i].word) && ts[i].word != "besides" {
		return i
	}
	for j := i + 1; j < len(ts); j++ {
		if ts[j].clause != ts[i].clause {
			return j
		}
		timed := j == i+2 && (ts[j-1].class == "weekday" || ts[j-1].class == "date" || ts[j-1].class == "month" ||
			ts[j-1].class == "number") && ts[j].content && ts[j].class == ""
		if timed {
			return j
		}
		begins := determiners.Has(ts[j].word) || pronouns.Has(ts[j].word) || ts[j].name && !ts[j-1].name && ts[j].class == ""
		if begins && j > i+1 && !determiners.Has(ts[j-1].word) && !prepositions.Has(ts[j-1].word) {
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
	case auxiliaries.Has(t.word):
		return true
	case i == start+1 && ts[start].name && !ts[start].owner && strings.HasSuffix(t.word, "s") && len(t.word) > 3:
		return true
	case !verbForms()[t.word] && !changeVerbs.Has(t.word):
		return false
	case i == start:
		for k := 1; k < 5; k++ {
			if auxiliaries.Has(next(k)) {
				return false
			}
		}
		return !verbForms()[next(1)] && !(verbForms()[next(2)] && !baseVerbs()[next(2)])
	case determiners.Has(ts[i-1].word) || ts[i-1].owner || prepositions.Has(ts[i-1].word) && ts[i-1].word != "to" ||
		ts[i-1].word == "to":
		return false
	case auxiliaries.Has(next(1)) && next(1) != "be":
		return false
	case baseVerbs()[t.word]:
		w := ts[i-1].word
		return pronouns.Has(w) || strings.HasSuffix(w, "s") && !ts[i-1].owner || w == "people" || negators.Has(w) ||
			i > start+1 && ts[i-2].word == "and"
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
