package secrets

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// published is the rule set of gitleaks, made from testdata/gitleaks.toml by a test that also checks
// that it is what the file gives. Its head holds its licence and says what the columns are.
//
//go:embed gitleaks.txt
var published string

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

// theRules are the rules, read when they are first wanted.
var theRules = sync.OnceValue(readRules)

// readRules takes less than a millisecond and compiles nothing: most rules never meet their anchor.
func readRules() *ruleSet {
	set := &ruleSet{buckets: make([][]anchor, 1)}
	set.list = ownRules()
	set.read(published)
	set.list = append(set.list, passwordRule(), genericRule())
	set.index()
	return set
}

// Columns of a rule in gitleaks.txt.
const (
	colID = iota
	colFlags
	colEntropy
	colLongest
	colAnchors
	colPattern
	colAllowed // and those after it
)

// Flags of a rule in gitleaks.txt.
const (
	flagAssigned = 'a'
	flagFold     = 'i'
	flagBorder   = 'b'
)

// read takes in the published rules. What it cannot read is a fault of this package, which its tests find.
func (set *ruleSet) read(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, "\t")
		switch kind {
		case "rule":
			set.list = append(set.list, readRule(strings.Split(rest, "\t")))
		case "allow":
			set.globally = sync.OnceValue(func() []*regexp.Regexp { return compileAll(rest) })
		case "not":
			set.unassigned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(rest) })
		case "stop":
			set.stop = sync.OnceValue(func() *stopWords { return readStopWords(rest) })
		default:
			panic(fmt.Sprintf("gitleaks.txt: %q is no kind of line", kind))
		}
	}
}

// compileAll compiles patterns one by one: those that say how a text begins are then done at its first byte.
func compileAll(columns string) []*regexp.Regexp {
	var all []*regexp.Regexp
	for pattern := range strings.SplitSeq(columns, "\t") {
		all = append(all, regexp.MustCompile(pattern))
	}
	return all
}

// allowed says that the published set allows a value, whatever the rule.
func (set *ruleSet) allowed(value []byte) bool {
	return slices.ContainsFunc(set.globally(), func(re *regexp.Regexp) bool { return re.Match(value) })
}

// known says that a rule has that name.
func (set *ruleSet) known(name []byte) bool {
	return slices.ContainsFunc(set.list, func(r *rule) bool { return r.id == string(name) })
}

func readRule(cols []string) *rule {
	r := &rule{id: cols[colID], anchors: strings.Split(cols[colAnchors], " "), pattern: cols[colPattern],
		allowed: cols[colAllowed:], outside: true}
	for _, flag := range cols[colFlags] {
		switch flag {
		case flagAssigned:
			r.assigned = true
		case flagFold:
			r.fold = true
		case flagBorder:
			r.border = true
		}
	}
	var err, err2 error
	r.entropy, err = strconv.ParseFloat(cols[colEntropy], 64)
	r.longest, err2 = strconv.Atoi(cols[colLongest])
	if err != nil || err2 != nil {
		panic(fmt.Sprintf("gitleaks.txt: %s: a number is wrong", r.id))
	}
	return r
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
