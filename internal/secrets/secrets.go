// Package secrets finds passwords, keys and tokens in text, so that they can be taken out before the
// text is signed and can no longer be changed.
package secrets

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// What stands where a secret was: markOpen, the rule, markClose.
const (
	markOpen  = "[REDACTED:"
	markClose = "]"
)

const (
	// strictPasses is how often taking secrets out may bring others to light before whatever still
	// appears is taken with the whole word around it. That ends any chain.
	strictPasses = 3
	// maxPasses ends the search whatever happens.
	maxPasses = 32
)

// Find returns the secrets of a text in order, none overlapping another, each in full: a PEM block from
// its first dash to its last, and whatever comes to light only when a secret beside it is taken out. What
// Redact wrote is no secret. It takes time in proportion to the text, never fails, and may err both
// ways: it knows shapes and names, not what is secret.
func Find(text string) []Finding {
	work := []byte(text)
	rules := theRules()
	hideMarks(work, rules)
	var all []Finding
	for pass := range maxPasses {
		found := scan(work, rules)
		if v := viewOf(work); v != nil {
			found = merged(append(found, v.back(scan(v.text, rules))...))
		}
		if len(found) == 0 {
			break
		}
		for i := range found {
			if pass >= strictPasses {
				found[i].Start, found[i].End = word(work, found[i].Start, found[i].End)
			}
			hide(work[found[i].Start:found[i].End])
		}
		all = append(all, found...)
	}
	return merged(all)
}

// Redact puts "[REDACTED:rule]" in the place of each secret and says where in text they were. What it
// gives holds no finding, so that redacting it again changes nothing; valid UTF-8 stays valid.
func Redact(text string) (string, []Finding) {
	found := Find(text)
	if len(found) == 0 {
		return text, nil
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(markOpen + f.Rule + markClose)
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String(), found
}

// merged sorts findings and joins those that overlap; the one found first gives the name.
func merged(found []Finding) []Finding {
	sorting.By(found, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	out := found[:0]
	for _, f := range found {
		if n := len(out); n > 0 && f.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, f.End)
			continue
		}
		out = append(out, f)
	}
	return out
}

// hideMarks hides what Redact wrote before. Only names of rules count, so that no one hides a secret by
// writing brackets around it.
func hideMarks(work []byte, rules *ruleSet) {
	for at := 0; ; {
		i := bytes.Index(work[at:], []byte(markOpen))
		if i < 0 {
			return
		}
		start := at + i
		at = start + len(markOpen)
		rest := work[at:min(len(work), at+maxRuleName+len(markClose))]
		if n := bytes.IndexByte(rest, markClose[0]); n > 0 && rules.known(rest[:n]) {
			at += n + len(markClose)
			hide(work[start:at])
		}
	}
}

func hide(b []byte) {
	for i := range b {
		b[i] = gone
	}
}
