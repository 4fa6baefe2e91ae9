package extract

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// subject reads who a sentence is about, from word i: up to where, and an auxiliary that is contracted to it.
func subject(s sentence, i int, known map[string]bool) (end int, aux string, p person) {
	w := s.words[i]
	head, tail := w.low, ""
	if k := strings.IndexByte(head, '\''); k > 0 {
		head, tail = head[:k], head[k:]
	}
	switch head {
	case "i", "im", "ive":
		switch head {
		case "im":
			tail = "'m"
		case "ive":
			tail = "'ve"
		}
		return i + 1, contracted[tail], I
	case "we":
		return i + 1, contracted[tail], we
	case "my", "our":
		return nounPhrase(s, i, mine)
	case "the":
		return nounPhrase(s, i, thing)
	}
	if pronouns.Has(head) {
		return i, "", noPerson
	}
	if isCapital(w.text) {
		j := i
		for j < len(s.words) && isCapital(s.words[j].text) && s.words[j].low != "i" && (j == i || s.words[j-1].after == 0) {
			j++
		}
		if j+1 < len(s.words) && s.words[j].low == "and" && isCapital(s.words[j+1].text) {
			j += 2
		}
		last := s.words[j-1].low
		if k := strings.IndexByte(last, '\''); k > 0 && last[k:] != "'s" {
			return j, contracted[last[k:]], named
		} else if k > 0 && j-i == 1 && j < len(s.words) && !possesses(s.words[j].low) {
			return j, "is", named
		} else if k > 0 {
			end, aux, _ = nounPhrase(s, i, thing)
			return end, aux, named
		}
		if starts(s, j) && s.words[j-1].after == 0 {
			if i == 0 && notNames.Has(w.low) {
				return i, "", noPerson
			}
			return j, "", named
		}
	}
	return nounPhrase(s, i, thing)
}

// possesses reports whether Name's, before w, is a possessive rather than Name is.
func possesses(w string) bool {
	if _, ok := findVerb(w, doing); ok {
		return false
	}
	switch w {
	case "a", "an", "the", "not", "in", "at", "from", "married", "allergic", "now", "still", "on", "been", "going":
		return false
	}
	return true
}

const longSubject = 6

// nounPhrase reads up to a verb, at most six words without punctuation.
func nounPhrase(s sentence, i int, p person) (int, string, person) {
	for j := i + 1; j < len(s.words) && j <= i+longSubject; j++ {
		if endsClause(s.words[j-1]) {
			break
		}
		w := s.words[j].low
		if pronouns.Has(w) || w == "i" || w == "we" || clauseWords.Has(w) {
			break
		}
		if starts(s, j) && !(j == i+1 && (p == mine || s.words[i].low == "the")) {
			if w := s.words[j].low; strings.HasSuffix(w, "'s") {
				break
			}
			return j, "", p
		}
	}
	return i, "", noPerson
}

// clauseWords begin another clause: no subject goes over them.
var clauseWords = lazy.Words(`that which who whom when where if because while although though to than as whose why how
	what unless until before after since please`)

// starts reports whether word j is a verb that a subject can stand before.
func starts(s sentence, j int) bool {
	if s.is(j, "no longer") > 0 {
		j += 2
	}
	for j < len(s.words) && adverbs.Has(s.words[j].low) {
		j++
	}
	if j >= len(s.words) {
		return false
	}
	w := s.words[j].low
	if _, ok := auxiliaries[w]; ok {
		return true
	}
	_, ok := findVerb(w, third, past)
	return ok
}

var pronouns = lazy.Words(`it this that these those there here he she they you someone somebody everyone everybody
	anyone nobody something anything everything nothing one who what which where when how why it's that's there's here's
	what's he's she's they're you're let's you've you'll they've`)

// notNames begin sentences with a capital and are no names.
var notNames = lazy.Words(`the a an my our your his her its their if when while after before since because although
	though to for in on at by with from as of not no yes please thanks then also some many most all any each every both few
	several other another such more less only even just never always do don't did does can could should would will may
	might must let make use run add fix check show tell give try see look go get keep being having doing going`)
