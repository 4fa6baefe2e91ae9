package evolve

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// change returns the words by which the new text says that the world has changed in what the
// old one speaks of, "" if it does not.
func change(o, n *reading) string {
	if p := n.phrase(); p != "" && !(bygone[p] && o.bygone()) && !strings.Contains(o.line(), " "+p+" ") {
		return p
	}
	for i, t := range n.tokens {
		switch {
		case t.word == "from" && n.fromTo(o, i):
			return t.word
		case t.word == "since" && i+1 < len(n.tokens) && !pronouns.Has(n.tokens[i+1].word) && o.said[n.tokens[i+1].key] == 0:
			return t.word
		case t.word == "until" && n.past(i) && shared(o, n) > 1 && o.line() != n.line():
			return t.word
		case t.word == "new" && i+1 < len(n.tokens):
			_, ok := o.said[n.tokens[i+1].key]
			if !ok && i+2 < len(n.tokens) && n.describes(i+1) {
				_, ok = o.said[n.tokens[i+2].key]
			}
			if ok && !n.adds() && !strings.Contains(o.line(), " old ") && !strings.Contains(o.line(), " new ") {
				return "new"
			}
		case t.word == "turned" && i+1 < len(n.tokens) && n.tokens[i+1].class == "number":
			return t.word
		case (t.word == "from" || t.word == "starting" || t.word == "beginning" || t.word == "effective") && n.dated(i):
			return t.word
		case t.word == "again" && o.bad():
			return t.word
		case (t.word == "started" || t.word == "began") && !n.begins(o, i):
		case t.word == "been" && i > 0 && i+1 < len(n.tokens) && (n.tokens[i-1].word == "has" ||
			n.tokens[i-1].word == "have") && !n.adds() &&
			strings.HasSuffix(n.tokens[i+1].word, "ed") && o.said[n.tokens[i+1].key] == 0 && n.concerns(o, i+1):
			return "has been " + n.tokens[i+1].word
		case n.again(i) && n.concerns(o, i):
			return t.word
		case t.word == "grew" && i+1 < len(n.tokens) && n.tokens[i+1].word == "up":
		case t.word == "left" && (i+1 < len(n.tokens) && remaining.Has(n.tokens[i+1].word) || i > 0 &&
			(n.tokens[i-1].word == "be" || n.tokens[i-1].word == "on")):
		case changeVerbs.Has(t.word) && n.concerns(o, i):
			return t.word
		}
	}
	return ""
}

// ends says whether a text ends with the time from which it holds: three weeks from July.
func (r *reading) ends() bool {
	for i, t := range r.tokens {
		if (t.word == "from" || t.word == "starting" || t.word == "effective" || t.word == "until" || t.word == "till") &&
			i > 0 && i+1 < len(r.tokens) {
			switch u := r.tokens[i+1]; {
			case u.class != "month" && u.class != "weekday" && u.class != "date" && !seasons.Has(u.word):
			case i+2 == len(r.tokens) || r.tokens[i+2].clause != u.clause || i+3 == len(r.tokens):
				return true
			}
		}
	}
	return false
}

var seasons = lazy.Words(`spring summer autumn fall winter easter christmas q1 q2 q3 q4 today tomorrow now next`)

// heralds says whether a text begins with a heading that tells of a change: "New hours:".
func (r *reading) heralds() bool {
	if r.announced {
		return true
	}
	if r.tokens[0].word == "new" && !r.tokens[0].colon {
		return true
	}
	for _, t := range r.tokens {
		if t.clause == r.tokens[0].clause && t.colon && (t.word == "change" || t.word == "update" || t.word == "news") {
			return true
		}
	}
	return false
}

// past says whether the clause before i tells of what was.
func (r *reading) past(i int) bool {
	for j := i - 1; j >= 0 && r.tokens[j].clause == r.tokens[i].clause; j-- {
		if w := r.tokens[j].word; w == "was" || w == "were" || w == "used" || w == "had" || w == "worked" || w == "lived" {
			return true
		}
	}
	return false
}

// remaining are words after which "left" tells of no going.
var remaining = lazy.Words(`out over open alone unchanged untouched as hand foot side handed behind blank empty to`)

// bygone are phrases by which one tells of what was.
var bygone = map[string]bool{"used to": true, "formerly": true, "previously": true}

// bygone says whether a text tells of what was.
func (r *reading) bygone() bool {
	if r.verb < 0 {
		return false
	}
	w := r.tokens[r.verb].word
	return w == "was" || w == "were" || w == "had" || w == "lived" || verbForms()[w] && strings.HasSuffix(w, "ed")
}

// dated says whether the word at i begins a time: from Monday, starting in July.
func (r *reading) dated(i int) bool {
	if i > 0 && r.tokens[i-1].clause == r.tokens[i].clause && !r.tokens[i].first {
		return false
	}
	for j := i + 1; j < len(r.tokens) && j < i+3; j++ {
		switch r.tokens[j].class {
		case "weekday", "date", "month":
			return true
		}
		if w := r.tokens[j].word; w == "today" || w == "tomorrow" || w == "next" || w == "now" ||
			strings.HasPrefix(w, "v") && r.tokens[j].class == "number" {
			return true
		}
	}
	return false
}

// bad says whether a text tells of a state that one hopes will end.
func (r *reading) bad() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return badStates.Has(t.word) || t.denied%2 == 1 })
}

// adds says whether a text says that something holds beside something else.
func (r *reading) adds() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		return t.word == "too" || t.word == "also" || t.word == "both" || t.word == "besides"
	})
}

// fromTo says whether at i something goes from what the old text says to something else.
func (r *reading) fromTo(o *reading, i int) bool {
	known := false
	for j := i + 1; j < len(r.tokens) && j < i+7; j++ {
		t := r.tokens[j]
		switch {
		case t.word == "to":
			return known && j+1 < len(r.tokens) && !verbForms()[r.tokens[j+1].word] && o.said[r.tokens[j+1].key] == 0
		case t.content:
			known = known || o.said[t.key] != 0
		}
	}
	return false
}

// recent says whether a text tells of what happened lately.
func (r *reading) recent() bool {
	for i, t := range r.tokens {
		switch t.word {
		case "yesterday", "today", "tonight", "recently", "just", "finally", "tomorrow":
			return true
		case "week", "month", "night", "morning", "year", "weekend":
			if i > 0 && (r.tokens[i-1].word == "last" || r.tokens[i-1].word == "this" || r.tokens[i-1].word == "next") {
				return true
			}
		}
	}
	return r.day != ""
}

// again says whether the word at i is a verb of doing something again: rebased.
func (r *reading) again(i int) bool {
	w := r.tokens[i].word
	base, ok := strings.CutPrefix(w, "re")
	return ok && len(base) > 4 && strings.HasSuffix(w, "ed") && w != "returned" && verbForms()[base]
}

// begins says whether what begins at i is something new to the old text.
func (r *reading) begins(o *reading, i int) bool {
	for _, t := range r.tokens[i+1:] {
		if t.clause != r.tokens[i].clause || prepositions.Has(t.word) {
			break
		}
		if was, known := o.said[t.key]; t.content && (!known || was < 0) {
			return true
		}
	}
	return false
}

// concerns says whether the verb of change at i is about something the old text speaks of.
func (r *reading) concerns(o *reading, i int) bool {
	ts := r.tokens
	if ts[i].denied%2 == 1 || ts[i].word == "updated" && !strings.Contains(r.line(), " to ") &&
		!strings.Contains(r.line(), " from ") {
		return false
	}
	if i > 0 && (determiners.Has(ts[i-1].word) || ts[i-1].owner) {
		return false // a thing: the closed door
	}
	if i > 0 && (ts[i-1].word == "is" || ts[i-1].word == "are") && !settled.Has(ts[i].word) {
		return false // they are deleted, as a rule
	}
	passive := i > 0 && copulas.Has(ts[i-1].word) || i > 1 && copulas.Has(ts[i-2].word) && (ts[i-1].word == "not" ||
		strings.HasSuffix(ts[i-1].word, "ly"))
	// what it does something to
	known, unknown := r.object(o, i)
	if known > 0 && known >= unknown && !(known == 1 && unknown == 1) {
		return true
	}
	if unknown > 0 && !passive {
		return false
	}
	// who or what did, or had it done
	found := false
	for j := i - 1; j >= 0 && ts[j].clause == ts[i].clause; j-- {
		if !ts[j].content && !pronouns.Has(ts[j].word) {
			continue
		}
		found = true
		if w := ts[j].word; w == "former" || w == "previous" || w == "ex" {
			return false
		}
		if pronouns.Has(ts[j].word) || o.speaksOf(ts[j]) && r.oneThing(o, j) {
			return true
		}
	}
	return !found
}

// advanced returns the two states of a chain, if the new text speaks of a later one.
func advanced(o, n *reading) (from, to string) {
	was, is := o.states(), n.states()
	_, chains := stages()
	for chain := range chains {
		first, last := -1, -1
		for _, s := range was {
			if s.chain == chain && (first < 0 || s.stage < first) {
				first, from = s.stage, s.word
			}
		}
		for _, s := range is {
			if s.chain == chain && s.stage >= last {
				last, to = s.stage, s.word
			}
		}
		if first >= 0 && last > first {
			return from, to
		}
	}
	return "", ""
}

// states returns the states a text speaks of.
func (r *reading) states() []state {
	var all []state
	byWord, _ := stages()
	for i := range r.tokens {
		t := &r.tokens[i]
		word := t.word
		if (word == "red" || word == "green") && r.built() {
			word = "#" + word
		}
		if in := byWord[word]; in != nil && t.denied%2 == 0 && !t.name {
			all = append(all, in...)
		}
	}
	return all
}

// built says whether a text speaks of builds or tests, of which red and green are states.
func (r *reading) built() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return builds.Has(t.word) })
}

var builds = lazy.Words(`build builds pipeline pipelines ci test tests suite job jobs check checks workflow`)
