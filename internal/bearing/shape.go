package bearing

import (
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// shape says what the answer to a question looks like.
func shape(fields []string) string {
	for i := range min(len(fields), 3) {
		low := strings.ToLower(strip(fields[i]))
		next := ""
		if i+1 < len(fields) {
			next = strings.ToLower(strip(fields[i+1]))
		}
		switch {
		case low == "where" || low == "which" && places.Has(next):
			return "place"
		case low == "when":
			return "time"
		case low == "why":
			return "reason"
		case low == "how" && (next == "many" || next == "much"):
			return "figure"
		}
	}
	return ""
}

// TimeAsked says whether a question asks for a time: when, how long, which year.
func TimeAsked(text string) bool {
	return begins(text, func(low, next string) bool {
		return low == "when" || low == "how" && next == "long" || (low == "what" || low == "which") && spans.Has(next)
	})
}

// NumberAsked says whether a question asks for a number: how many, how much.
func NumberAsked(text string) bool {
	return begins(text, func(low, next string) bool { return low == "how" && (next == "many" || next == "much") })
}

// begins says whether two words after one another, among the first of a question, are what is looked for.
func begins(text string, is func(low, next string) bool) bool {
	const first = 4
	fields := fieldsOf(text[:min(len(text), 200)])
	for i := range min(len(fields), first) {
		next := ""
		if i+1 < len(fields) {
			next = strings.ToLower(strip(fields[i+1]))
		}
		if is(strings.ToLower(strip(fields[i])), next) {
			return true
		}
	}
	return false
}

var (
	spans  = lazy.Words(`time day date week month year`)
	places = lazy.Words(`city town country place village region street`)
	into   = lazy.Words(`in at from to near into`)
	times  = lazy.Words(`monday tuesday wednesday thursday friday saturday sunday january february march april may june
		july august september october november december today tomorrow yesterday morning evening noon midnight spring
		summer autumn winter daily weekly monthly`)
	reasons = lazy.Words(`because so since therefore otherwise avoid reason`)
	counted = lazy.Words(`one two three four five six seven eight nine ten dozen no none twice once half`)
)

// shaped says whether a text has what an answer of a shape looks like.
func shaped(text, shape string) bool {
	fields := strings.Fields(text)
	for i, f := range fields {
		word := strip(f)
		low := strings.ToLower(word)
		digit := strings.ContainsFunc(word, unicode.IsDigit)
		switch shape {
		case "place":
			if i > 0 && into.Has(strings.ToLower(fields[i-1])) && word != low && !times.Has(low) ||
				strings.ContainsAny(strings.Trim(f, "./"), "/") {
				return true
			}
		case "time":
			if digit || times.Has(low) {
				return true
			}
		case "reason":
			if i > 0 && reasons.Has(low) {
				return true
			}
		case "figure":
			if digit || counted.Has(low) {
				return true
			}
		}
	}
	return false
}

// head returns the thing that a statement speaks of, in small letters: the last word before its verb or a preposition.
// "" is that it begins with a name, a person or nothing known.
func head(text string) string {
	const farthest = 7
	last := ""
	of := false
	for i, f := range strings.Fields(text) {
		word := strip(f)
		low := strings.ToLower(word)
		switch {
		case i > farthest:
			return ""
		case heads.Has(low):
			return last
		case links.Has(low):
			of = true
		case of || articles.Has(low):
		case i > 0 && named(word), persons.Has(low):
			return ""
		default:
			last = low
		}
	}
	return ""
}

// persons are pronouns of people.
var persons = lazy.Words(`i we you he she they`)

// heads are verbs that end what a statement speaks of.
var heads = lazy.Words(`is are was were has have had can could may might must shall should will would do does did go
	goes went use uses run runs live lives work works need needs listen listens start starts begin begins end ends close
	closes open opens keep keeps hold holds take takes cost costs weigh weighs contain contains return returns write
	writes read reads send sends call calls depend depends expire expires retry retries stay stays come comes belong
	belongs happen happens`)
