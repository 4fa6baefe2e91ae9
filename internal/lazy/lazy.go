// Package lazy makes what is the same in every run, and costly to make, when it is
// first asked for: most runs of a command ask for little of it, and a hook must be
// done before anybody notices.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// A Pattern is a regular expression that is compiled when it is first used. One that
// is none panics then, so each is used by a test.
type Pattern struct{ get func() *regexp.Regexp }

// Regexp returns the pattern of an expression.
func Regexp(expr string) Pattern {
	return Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// Get returns it compiled.
func (p Pattern) Get() *regexp.Regexp { return p.get() }

// A Set is some words.
type Set struct{ get func() map[string]bool }

// Words returns the set of the words of a text, which blanks part.
func Words(list string) Set {
	return Set{sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool)
		for word := range strings.FieldsSeq(list) {
			set[word] = true
		}
		return set
	})}
}

// Has reports whether a word is in it.
func (s Set) Has(word string) bool { return s.get()[word] }
