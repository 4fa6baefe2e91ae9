package bearing

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// A phrase is a question being read.
type phrase struct {
	now   time.Time
	words []string
	low   []string
	owns  []bool // it ends as an owner does: Mira's
	used  []bool // it says the form or the time, not what is wanted
	noun  int    // the place of the plural that says what is wanted; -1 is none
	topic [2]int // from where to where it says what that is about: trains, in "all decisions about trains"
}

func (p *phrase) at(i int) string {
	if i < 0 || i >= len(p.low) {
		return ""
	}
	return p.low[i]
}

// take marks words that say the form.
func (p *phrase) take(from, to int) {
	for i := from; i < min(to, len(p.used)); i++ {
		p.used[i] = true
	}
}

// has reports whether words stand at a place, each one of those that a part of a pattern names.
func (p *phrase) has(at int, pattern string) (end int, ok bool) {
	for part := range strings.FieldsSeq(pattern) {
		if !slices.Contains(strings.Split(part, "|"), p.at(at)) {
			return at, false
		}
		at++
	}
	return at, true
}

// leads are ways to begin that ask for nothing yet; those after the bar ask to be told.
var leads = []struct {
	pattern string
	tells   bool
}{
	{"please|ok|okay|hey|hi|hello|so|and|now|then|but", false},
	{"can|could|would|will you", false},
	{"i want|need to see|know|hear|get|have", true},
	{"i would like to see|know|hear|get|have", true},
	{"i want|need", true},
	{"let me see|know|have", true},
	{"show|give|tell|get|find|fetch|bring|send|remind|recall|search", true},
	{"me|us", false},
	{"do|does you|we|i|anyone|anybody know|have|remember", false},
	{"is|are there", false},
}

var (
	tellers  = lazy.Words(`list enumerate summarise summarize collect gather`)
	everyone = lazy.Words(`we you i they he she it`)
	wholes   = lazy.Words(`about on of regarding concerning with from for`)
	knows    = lazy.Words(`know knows knew have has had remember remembered said say says store stored record recorded
		write wrote`)
	people   = lazy.Words(`said did told likes like liked loves wants wanted needs asked wrote made does owns knows`)
	definite = lazy.Words(`the a an our my your his her its their these those all of some any every each other`)
	measures = lazy.Words(`hours minutes seconds days weeks months years times miles metres meters kilometres degrees
		euros dollars`)
	alone = lazy.Words(`news series species lens status process address access class bus pass gas basis always thus plus
		process business princess physics mathematics economics politics ethics analytics metrics's alias canvas atlas bias
		kubernetes redis postgres aws dns https tls css js sms gps os ios windows s us is was has does this`)
	plurals   = lazy.Words(`people children men women feet teeth mice criteria media persons`)
	following = lazy.Words(`that which who whom where when whose we you i they he she and or but`)
	topics    = lazy.Words(`about regarding concerning concern concerns mention mentions affect affects involve involves`)
	modifying = lazy.Words(`ever never already still now usually normally currently`)
)

// form finds the form of a question and marks the words that say it; "" is that it wants one answer.
func (p *phrase) form() string {
	if p.name() {
		return Name
	}
	at, tells := 0, false
	for again := true; again; {
		again = false
		for _, l := range leads {
			if end, ok := p.has(at, l.pattern); ok {
				at, tells, again = end, tells || l.tells, true
				break
			}
		}
	}
	p.take(0, at)
	switch w := p.at(at); {
	case w == "everything" || w == "anything":
		return p.everything(at)
	case w == "all" || w == "every":
		return p.all(at, tells)
	case tellers.Has(w) || w == "name" && definite.Has(p.at(at+1)):
		if p.at(at+1) == "of" || !p.several(at+1) {
			return ""
		}
		p.take(at, at+1)
		return List
	case w == "how":
		if end, ok := p.has(at, "how many times|occasions"); ok {
			p.take(at, end)
			return Times
		}
		return ""
	case w == "about" || w == "what" || w == "which" || w == "who" || w == "whose":
		return p.asks(at, tells)
	}
	if tells && p.several(at) {
		return List
	}
	return ""
}

// everything reads "everything about X", "everything we know of X", "everything that X said".
func (p *phrase) everything(at int) string {
	any := p.at(at) == "anything"
	end := at + 1
	for end < at+6 && (following.Has(p.at(end)) || knows.Has(p.at(end)) || p.at(end) == "is" || p.at(end) == "there") {
		end++
	}
	switch {
	case end >= len(p.low):
		return ""
	case wholes.Has(p.at(end)) && end+1 < len(p.low):
		p.take(at, end+1)
		return All
	case !any && named(p.words[end]) && people.Has(p.at(end+1)):
		p.take(at, end)
		return All
	}
	return ""
}

// all reads "all about X" and "all the decisions of X"; "all tests run at night" says something and asks nothing.
func (p *phrase) all(at int, tells bool) string {
	if p.at(at) == "all" {
		end := at + 1
		for end < at+5 && (following.Has(p.at(end)) || knows.Has(p.at(end))) {
			end++
		}
		if _, ok := p.has(end, "about|regarding|concerning|on|of"); ok && (end > at+1 || p.at(end) == "about") &&
			end+1 < len(p.low) {
			p.take(at, end+1)
			return All
		}
	}
	head, next := p.head(at + 1)
	if head < 0 || !p.many(head) && p.at(at) == "all" {
		return ""
	}
	if !tells && verbs.Has(p.at(next)) {
		return ""
	}
	p.take(at, at+1)
	p.noun = head
	return All
}

// asks reads questions that begin with a question word, and "about X".
func (p *phrase) asks(at int, tells bool) string {
	w := p.at(at)
	switch {
	case w == "about":
		if at+1 >= len(p.low) || !tells && at > 0 || p.at(at+1) == "how" {
			return ""
		}
		p.take(at, at+1)
		return About
	case w == "what" && p.knowing(at):
		return About
	case w == "what" && p.happened(at):
		return Period
	}
	next := p.at(at + 1)
	if p.owns[at] || next == "of" {
		return ""
	}
	if next == "are" || next == "were" {
		if w == "whose" || everyone.Has(p.at(at+2)) || p.at(at+2) == "there" || !p.several(at+2) {
			return ""
		}
		p.take(at, at+2)
		return Plural
	}
	if w == "who" || verbs.Has(next) || definite.Has(next) || !p.several(at+1) {
		return ""
	}
	p.take(at, at+1)
	return Several
}

// knowing reads "what do we know about X", "what is known of X".
func (p *phrase) knowing(at int) bool {
	for _, pattern := range []string{
		"what do|does|did you|we|i|they|anyone know|have|remember|store|record about|of|on",
		"what is|was|are known|remembered|stored|recorded|noted|said about|of|on",
		"what have|has we|you|i|they learned|learnt|stored|recorded|noted|remembered about|of|on",
	} {
		if end, ok := p.has(at, pattern); ok && end < len(p.low) {
			p.take(at, end)
			return true
		}
	}
	return false
}

// happened reads "what happened" and "what did we do", which ask for all of a time.
func (p *phrase) happened(at int) bool {
	for _, pattern := range []string{
		"what happened", "what has happened", "what was done|decided|said|changed|remembered|recorded",
		"what did|have i|we|you|they do|done|decide|decided|change|changed|learn|learned|say|said",
	} {
		if end, ok := p.has(at, pattern); ok && (end == len(p.low) || p.used[end]) {
			p.take(at, end)
			return true
		}
	}
	return false
}

// several reports whether the noun at a place is plural: what it leads to is many.
func (p *phrase) several(at int) bool {
	head, next := p.head(at)
	if head < 0 || !p.many(head) {
		return false
	}
	for definite.Has(p.at(at)) {
		at++
	}
	p.noun = head
	// in "which airline flies to Bern" the word that looks plural is a verb
	return head == at || p.owns[head-1] || !links.Has(p.at(next)) || head+1 < next || p.used[next] || p.many(head-1)
}

// head finds the noun that words lead to, and what follows it: in "the old rules of the house" it is rules. -1 is none.
func (p *phrase) head(at int) (head, next int) {
	for definite.Has(p.at(at)) {
		at++
	}
	next = at
	for next < len(p.low) && !verbs.Has(p.at(next)) && !links.Has(p.at(next)) && !following.Has(p.at(next)) &&
		!people.Has(p.at(next)) && !modifying.Has(p.at(next)) && !p.used[next] {
		next++
	}
	head = next - 1
	for head > at && !p.owns[head] && named(p.words[head]) && !named(p.words[head-1]) { // which books Mira …
		head--
	}
	if head < at || p.owns[head] {
		return -1, next
	}
	return head, next
}

// about finds what the noun that is wanted is about: what follows a preposition just behind it, or "about" anywhere.
func (p *phrase) about() {
	if p.noun < 0 {
		return
	}
	for i := p.noun + 1; i < len(p.low); i++ {
		if topics.Has(p.low[i]) || i == p.noun+1 && links.Has(p.low[i]) && !p.used[i] {
			to := i + 1
			for to < len(p.low) && !p.used[to] && !verbs.Has(p.low[to]) && !following.Has(p.low[to]) {
				to++
			}
			p.topic = [2]int{i + 1, to}
			return
		}
	}
}

// many reports whether a noun is plural.
func (p *phrase) many(i int) bool {
	w := p.low[i]
	switch {
	case plurals.Has(w):
		return true
	case len(w) < 4 || alone.Has(w) || measures.Has(w) || strings.ToUpper(p.words[i]) == p.words[i]:
		return false
	}
	return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") &&
		!strings.HasSuffix(w, "is") && !strings.HasSuffix(w, "ics")
}

// name reports whether the whole text is a name: every word begins with a capital, or with a letter of a
// writing that has none. A person writes "Mira", and a name of small letters is a word like any other.
func (p *phrase) name() bool {
	if len(p.low) > mostNameWords || slices.Contains(p.used, true) {
		return false
	}
	for i, w := range p.words {
		first := []rune(w)[0]
		if !unicode.IsUpper(first) && (unicode.IsLower(first) || !unicode.IsLetter(first)) || p.owns[i] {
			return false
		}
	}
	return len(p.low) == 1 || !asking.Has(p.low[0])
}

// mostNameWords is how many words a name has.
const mostNameWords = 4
