package secrets

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// published is the rule set of gitleaks, made from testdata/gitleaks.toml by a test that also checks
// that it is what the file gives. Its head holds its licence and says what the columns are.
//
//go:embed gitleaks.txt
var published string

// theRules are the rules, read when they are first wanted.
var theRules = sync.OnceValue(readRules)

// readRules takes less than a millisecond and compiles nothing: most rules never meet their anchor.
func readRules() *ruleSet {
	set := &ruleSet{buckets: make([][]anchor, 1)}
	set.list = ownRules()
	set.read(published)
	set.list = append(set.list, passwordRule(), genericRule(), namedRule())
	set.list = append(set.list, saidRules()...)
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
