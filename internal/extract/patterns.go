package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/words"
	"github.com/stemma-memory/stemma/memory"
)

// A Past is an episode as Patterns looks at it. Its place in the list is how drafts cite it.
type Past struct {
	Text, Outcome, OutcomeType string
	Lessons                    []string
}

// patternAt is in how many episodes the same must stand to be a pattern.
const patternAt = 3

// alike is how much of the terms two sentences must share to say the same.
const alike = 0.75

// Patterns finds the same lesson, the same choice and the same failure in at least three episodes. Each gives
// the draft of a belief that cites all the episodes it stands in.
func Patterns(episodes []Past) []Draft {
	var lessons, failures, made []remark
	for i, e := range episodes {
		for _, l := range e.Lessons {
			lessons = append(lessons, newRemark(l, i))
		}
		if e.OutcomeType == "failure" {
			failures = append(failures, newRemark(e.Text, i))
		}
		for _, text := range append([]string{e.Text, e.Outcome}, e.Lessons...) {
			for _, s := range sentences(text) {
				if c, ok := chosen(s); ok {
					made = append(
						made,
						remark{text: "We use " + c.what + " for " + c.purpose, terms: strings.Split(c.key, "\x00"), at: i},
					)
				}
			}
		}
	}
	var out []Draft
	out = append(out, repeated(lessons, "principle", "lesson", func(text string, _ int) string { return text })...)
	out = append(out, repeated(made, "fact", "choice", func(text string, _ int) string { return text })...)
	out = append(out, repeated(failures, "fact", "failure", func(text string, n int) string {
		return fmt.Sprintf("This failed in %d episodes: %s", n, text)
	})...)
	return kept(out)
}

// A remark is a sentence in an episode, with the terms that say whether another is the same.
type remark struct {
	text    string
	terms   []string
	negated bool
	at      int
}

func newRemark(text string, at int) remark {
	text = line(shorten.To(text, maxScan))
	r := remark{text: text, terms: words.Query(shorten.To(text, maxSentence)), at: at}
	for w := range strings.FieldsSeq(strings.ToLower(keyboard(shorten.To(text, maxSentence)))) {
		w = strings.Trim(w, ".,;:!?")
		if w == "not" || w == "never" || w == "no" || w == "without" || w == "avoid" || strings.HasSuffix(w, "n't") {
			r.negated = !r.negated
		}
	}
	return r
}

// repeated groups remarks, each with the first that says the same, and drafts of those in enough episodes.
func repeated(all []remark, typ, rule string, text func(string, int) string) []Draft {
	type group struct {
		first remark
		from  []int
	}
	var groups []*group
	for _, r := range all {
		if len(r.terms) == 0 {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.first.same(r) })
		if i < 0 {
			if len(groups) == maxGroups {
				continue
			}
			i = len(groups)
			groups = append(groups, &group{first: r})
		}
		if g := groups[i]; !slices.Contains(g.from, r.at) {
			g.from = append(g.from, r.at)
		}
	}
	var out []Draft
	for _, g := range groups {
		if n := len(g.from); n >= patternAt {
			conf := min(likely, possible+memory.Confidence(n-patternAt)*50)
			out = append(
				out,
				Draft{Kind: memory.KindBelief, Type: typ, Text: text(g.first.text, n), Confidence: conf, From: g.from, Rule: rule},
			)
		}
	}
	return out
}

// maxGroups bounds the work: each remark is compared with every group.
const maxGroups = 1000

// same reports whether two remarks say the same: nearly the same terms in the same order, both denied or neither.
func (r remark) same(o remark) bool {
	if r.negated != o.negated {
		return false
	}
	shared, last, ordered := 0, -1, true
	for _, t := range r.terms {
		k := slices.Index(o.terms, t)
		if k < 0 {
			if t[0] >= '0' && t[0] <= '9' {
				return false // another number is another matter
			}
			continue
		}
		shared++
		ordered = ordered && k > last
		last = k
	}
	for _, t := range o.terms {
		if t[0] >= '0' && t[0] <= '9' && !slices.Contains(r.terms, t) {
			return false
		}
	}
	return ordered && float64(shared) >= alike*float64(len(r.terms)+len(o.terms)-shared)
}
