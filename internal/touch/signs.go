// Package touch tells what of a newer text may touch an older one. It decides nothing and links nothing: whoever wrote
// the newer one is shown the older one, or whoever reads the older one is shown the newer.
package touch

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/evolve"
)

// signs are what a text shows of a change without saying of what.
type signs struct {
	changed, over bool // it has a word of change (now, instead, moved); one of them says that something is no longer so
	bare, perhaps bool // it has no subject ("make that 150", "sorry, on Thursday"); it only supposes
	within        bool // it says something within something: that it is not true, that a test has it
	past          bool // it tells what was once

	// The words that name what its statements are of; their verbs; all that say what it is about; of these the names,
	// and those that it rules out (not X, instead of X).
	subjects, verbs, words, names, gone string

	letters map[string]string // what tells things of one kind apart, by the word before it: hall A, hall B

	clauses []string            // what its statements say, where it says several things
	values  map[string][]string // its values, by what they are values of: a unit, a day, a time
}

// signsOf reads the signs of a text.
func signsOf(text string) signs {
	ts, all := evolve.Words(text)
	s := signs{values: make(map[string][]string), letters: make(map[string]string)}
	s.bare = len(ts) > 0 && (!in(ts[0], "article") || in(ts[0], "vague"))
	for _, one := range all {
		s.state(one)
	}
	gone, reason, may := 0, false, false
	for i, t := range ts {
		last, next := at(ts, i-1), at(ts, i+1)
		apart := parts(t, last)
		since := sets(t, next, at(ts, i+2))
		reason = i > 0 && (reason || in(t, "since") && !since)
		may = may && !(last.Ends && t.Text != t.Low) || isMay(t) // what may or must be done is no change
		s.changed = s.changed || apart || since || in(t, "now", "corrects") ||
			!may && in(t, "change", "replace", "takes", "left", "stop")
		s.over = s.over || in(t, "ended") || !may && in(t, "stop", "left")
		s.perhaps = s.perhaps || in(t, "if")
		s.within = s.within || in(t, "within") || t.Low == "that" && in(next, "article")
		if t.Name {
			s.names += " " + t.Text
		}
		if len(t.Text) == 1 && t.Text != t.Low && last.Low != "" && !last.Ends {
			s.letters[last.Key] = t.Low
		}
		if !apart && !in(t, "light", "corrects", "article", "now") && !isAux(t) {
			s.words += " " + t.Text
			if gone--; gone >= 0 {
				s.gone += " " + t.Text
			}
		}
		if apart {
			gone = ruledOut
		}
		if kind, key := valueOf(t, last, next); kind != "" && !reason { // a reason has no value of what is said
			s.values[kind] = append(s.values[kind], key)
		}
	}
	return s
}

// ruledOut is how many words behind "not" and "instead of" are what is no longer so.
const ruledOut = 2

// state takes in one statement.
func (s *signs) state(one evolve.Statement) {
	for _, t := range one.Subject {
		if !in(t, "he", "corrects", "speaker") {
			s.bare, s.subjects = false, s.subjects+" "+t.Text
		}
	}
	s.verbs += " " + one.Verb.Text
	s.past = s.past || in(one.Verb, "past", "was")
	if one.Part && !in(one.All[0], "since") {
		var said []string
		for _, t := range one.All {
			said = append(said, t.Text)
		}
		s.clauses = append(s.clauses, strings.Join(said, " "))
	}
}

// parts reports whether a word sets apart what is no longer so, or is not so: instead of, no longer, and not.
func parts(t, last evolve.Word) bool {
	return in(t, "instead", "rather", "ended") || in(t, "not") && (last.Ends || in(last, "joins", "but"))
}

// sets reports whether a word says from when on something is so: since June, from next week. "From Monday to Friday"
// does not.
func sets(t, next, third evolve.Word) bool {
	timed := next.Class != "" && next.Class != figure || in(next, "time.in") && !in(next, "article") && !in(next, "light")
	return in(t, "since", "from") && timed && !in(third, "to", "at")
}

// valueOf returns what a word is a value of, and the value: the unit or the name beside a number, a day, a time. A unit
// without a number is one of no value.
func valueOf(t, last, next evolve.Word) (kind, key string) {
	plain := func(t evolve.Word) bool {
		return t.Low != "" && t.Class == "" && !in(t, "light", "article", "vague", "now") && !isAux(t)
	}
	switch {
	case t.Text == "may":
		return "", "" // no month
	case t.Class == figure && !t.Ends && plain(next):
		return next.Key, t.Key
	case t.Class == figure && !last.Ends && plain(last):
		return last.Key, t.Key
	case t.Class == "" && last.Class != figure && in(t, "unit.s", "unit.b", "unit.m", "unit.g", "unit.money", "unit.part"):
		return t.Key, ""
	}
	return t.Class, t.Key
}

// figure is the class of a number, and the kind of one of which a text does not say what it is a value of.
const figure = "number"

func at(ts []evolve.Word, i int) evolve.Word {
	if i < 0 || i >= len(ts) {
		return evolve.Word{}
	}
	return ts[i]
}

// in reports whether a word, or that of which it is a form, stands in one of some lists.
func in(t evolve.Word, lists ...string) bool {
	if t.Low == "a" || t.Low == "hat" {
		lists = slices.DeleteFunc(slices.Clone(lists), func(list string) bool { return list == "change" })
	}
	return slices.ContainsFunc(lists, func(list string) bool { return slices.Contains(t.In, list) })
}

// isMay reports whether a word says that something may, can or must be.
func isMay(t evolve.Word) bool { return in(t, "modal") && t.Low != "will" }

func isAux(t evolve.Word) bool { return in(t, "be", "have", "modal", "do") }
