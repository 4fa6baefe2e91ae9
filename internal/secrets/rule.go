package secrets

import (
	"regexp"
	"slices"
	"sync"
)

// maxRuleName is the length of the longest name of a rule.
const maxRuleName = 64

// A rule knows one kind of secret. It is asked where one of its anchors stands.
type rule struct {
	id      string
	anchors []string
	fold    bool // its anchors stand in any case
	border  bool // no letter, digit or underscore stands before the anchor

	look func(s *scanner, at, length int) (start, end int, ok bool) // by hand, or else:

	assigned bool            // a value follows the anchor: anchor = value
	lead     func(byte) bool // bytes before the anchor that belong to it
	pattern  string          // what begins at the anchor, or the value
	longest  int             // bytes the pattern can match, 0 if there is no limit
	entropy  float64         // more than so many bits a byte
	allowed  []string        // patterns of what is no secret after all
	outside  bool            // published: what the set allows globally holds

	once    sync.Once
	re, not *regexp.Regexp
}

// A ruleSet is all rules, and the way from a piece of text to them.
type ruleSet struct {
	list    []*rule         // the more particular first
	first   [1 << 12]uint16 // by the first two bytes of an anchor: a bucket, 0 is none
	buckets [][]anchor

	globally   func() []*regexp.Regexp // what the published set allows everywhere
	unassigned func() *regexp.Regexp   // what a generic key may be called without being one
	stop       func() *stopWords       // what a generic key never holds
}

// allowed says that the published set allows a value, whatever the rule.
func (set *ruleSet) allowed(value []byte) bool {
	return slices.ContainsFunc(set.globally(), func(re *regexp.Regexp) bool { return re.Match(value) })
}

// known says that a rule has that name.
func (set *ruleSet) known(name []byte) bool {
	return slices.ContainsFunc(set.list, func(r *rule) bool { return r.id == string(name) })
}

// index makes the way from the bytes of a text to the rules.
func (set *ruleSet) index() {
	for n, r := range set.list {
		for _, text := range r.anchors {
			b := &set.first[pair(text[0], text[1])]
			if *b == 0 {
				*b = uint16(len(set.buckets))
				set.buckets = append(set.buckets, nil)
			}
			set.buckets[*b] = withAnchor(set.buckets[*b], n, text, r.fold)
		}
	}
}

func withAnchor(bucket []anchor, rule int, text string, fold bool) []anchor {
	for i := range bucket {
		if a := &bucket[i]; a.text == text && a.fold == fold {
			a.rules = append(a.rules, rule)
			return bucket
		}
	}
	return append(bucket, anchor{text, fold, []int{rule}})
}

// An anchor is a piece of text by which rules are found.
type anchor struct {
	text  string
	fold  bool // in lower case, and stands for any case
	rules []int
}

func (a *anchor) at(text []byte, i int) bool {
	if len(text)-i < len(a.text) {
		return false
	}
	for j := range len(a.text) {
		c := text[i+j]
		if a.fold {
			c = folded(c)
		}
		if c != a.text[j] {
			return false
		}
	}
	return true
}

// pair numbers the two bytes an anchor begins with. Some share a number.
func pair(a, b byte) int { return int(folded(a)&63)<<6 | int(folded(b)&63) }

// A scanner goes once over a text.
type scanner struct {
	text  []byte
	rules *ruleSet
	next  []int32 // per rule: before this byte nothing of it begins
	found []hit

	refusedFrom, refusedTo int // what the generic rule looked at last and left
	longFrom, longTo       int // the run of bytes of tokens looked at last
	left                   int // before this byte base64 was read as a key
	spent                  int // bytes read in vain
}

// A hit is a secret found, before it is decided which of two that overlap gives its name.
type hit struct{ rule, start, end int }

// Text made for it can make every rule read the same bytes again and again. After so much has been read in
// vain, a run of at least longRun bytes in which a rule is asked again is taken for a secret unread.
const (
	patience = 4        // times the text
	leisure  = 32 << 10 // bytes more
	longRun  = 64
)

// tired says that a run of so many bytes is not to be read any more.
func (s *scanner) tired(bytes int) bool {
	return bytes >= longRun && s.spent > patience*len(s.text)+leisure
}

// long is where the run of bytes of tokens ends that at is in.
func (s *scanner) long(at int) int {
	if at < s.longFrom || at >= s.longTo {
		s.longFrom, s.longTo = at, run(s.text, at, tokenish)
	}
	return s.longTo
}
