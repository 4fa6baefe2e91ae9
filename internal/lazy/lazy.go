// Package lazy compiles patterns and word lists at their first use, for every room that reads text.
// Most runs of a command use few of them, and a hook must be done before anybody notices.
package lazy

import (
	"regexp"
	"strings"
	"sync"
)

// A Pattern is a regular expression that is compiled when it is first used. One that
// is none panics then, so each is used by a test.
type Pattern struct {
	expr string
	once sync.Once
	made *regexp.Regexp
}

// Regexp returns the pattern of an expression.
func Regexp(expr string) *Pattern { return &Pattern{expr: expr} }

// Get returns it compiled.
func (p *Pattern) Get() *regexp.Regexp {
	p.once.Do(func() { p.made = regexp.MustCompile(p.expr) })
	return p.made
}

// A Set is some words.
type Set struct {
	list string
	once sync.Once
	made map[string]bool
}

// Words returns the set of the words of a text, which blanks part.
func Words(list string) *Set { return &Set{list: list} }

// Has reports whether a word is in it.
func (s *Set) Has(word string) bool {
	s.once.Do(func() {
		s.made = make(map[string]bool, len(s.list)/8)
		for one := range strings.FieldsSeq(s.list) {
			s.made[one] = true
		}
	})
	return s.made[word]
}
