// Package decisions finds a commit whose message says what was decided, and the later
// commit that takes it back or replaces it. It reads messages by rules, without a model.
package decisions

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// A Commit is what is known of one commit.
type Commit struct {
	Ref     string // of its record
	Hash    string
	Author  string
	Message string
	Files   []string // that it touches
}

// Read returns the message and the files of a commit from the words of its capture: the
// message, a blank line, and a line for each file.
func Read(text string) (message string, files []string) {
	message, list, _ := cutLast(text, "\n\n")
	for l := range strings.Lines(list) {
		l = strings.TrimSuffix(l, "\n")
		status, path, ok := strings.Cut(l, " ")
		switch {
		case strings.HasPrefix(l, "… and "):
		case !ok || status == "" || strings.Trim(status, "ACDMRTUXB") != "":
			return text, nil // the last paragraph is words
		default:
			files = append(files, path)
		}
	}
	return message, files
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// A How is how the second commit relates to the first.
type How int

// The second commit reverts the first, replaces what it chose, or says that it fixes it.
// Near only touches the same file.
const (
	Near How = iota
	Reverts
	Replaces
	Fixes
)

// Said is a commit with the words taken from its message.
type Said struct {
	*Commit
	Subject string
	Reason  string // one sentence; "" for none
}

// Words returns what the commit says, in its own words: the subject, and the reason if both
// have at most so many columns.
func (s Said) Words(most int) string {
	if s.Reason == "" || columns(s.Subject)+columns(s.Reason) > most {
		return s.Subject
	}
	if strings.ContainsAny(s.Subject[len(s.Subject)-1:], ".:!?") {
		return s.Subject + " " + s.Reason
	}
	return s.Subject + ": " + s.Reason
}

// Found is a decision, and the commit that came after it.
type Found struct {
	Decision Said
	Second   *Said // nil if no other commit touches its files
	How      How
	Files    []string // that both touch, or the decision alone, code first

	score int
}

// Find returns the best decision among commits, which are newest first.
func Find(commits []Commit) (Found, bool) {
	h := newHistory(commits)
	var best Found
	for i := range commits {
		for _, f := range []Found{h.reverted(i), h.replaced(i), h.fixed(i), h.alone(i)} {
			if f.score > 0 {
				f.score -= i / 20 // of two that are alike, the newer
			}
			if f.score > best.score {
				best = f
			}
		}
	}
	return best, best.score > 0
}

// Scores: what takes a decision back is worth more than a decision alone, and one that says
// why more than one that does not.
const (
	pairScore   = 100
	revertScore = 20 // a revert leaves no doubt
	aloneScore  = 40
	whyScore    = 40 // the second commit says why, or the only one
	firstScore  = 15 // the first commit says why
	chosenScore = 15 // the first commit is worded as a choice
	fileScore   = 10 // they share a file
	dullScore   = -30
)

// mostTogether is how long the subjects of two commits to one file may be together, in columns.
const mostTogether = 150

// pair scores a decision at i and the commit at j that takes it back.
func (h *history) pair(i, j int, how How) Found {
	first, second := h.said(i), h.said(j)
	if !fit(first) || !fit(second) || h.undoneAgain(j) {
		return Found{}
	}
	if second.Reason == "" {
		second.Reason = firstSentence(second.Message)
	}
	f := Found{Decision: first, Second: &second, How: how, score: pairScore}
	if how == Reverts {
		f.score += revertScore
	}
	if second.Reason != "" {
		f.score += whyScore
	}
	if first.Reason != "" {
		f.score += firstScore
	}
	if strength(first.Subject) != none {
		f.score += chosenScore
	}
	f.Files = byUse(first.Files, first.Subject)
	if both := shared(f.Files, second.Files); len(both) > 0 {
		f.Files = both
		f.score += fileScore
	}
	return f.dulled()
}

// dulled scores less what is about documentation, tests or the build alone.
func (f Found) dulled() Found {
	if len(f.Files) == 0 || usefulness(f.Files[0]) > 0 || passing.Get().MatchString(f.Decision.Subject) {
		f.score += dullScore
	}
	return f
}

// alone scores the decision at i by its own words, with another commit that touches one of
// its files.
func (h *history) alone(i int) Found {
	s := strength(h.subjects[i])
	if s == none {
		return Found{}
	}
	first := h.said(i)
	said := whySubject.Get().MatchString(first.Subject)
	if !fit(first) || h.undoneAgain(i) || s == weak && first.Reason == "" && !said {
		return Found{}
	}
	f := Found{Decision: first, Files: byUse(first.Files, first.Subject), score: aloneScore}
	if s == weak {
		f.score -= 15
	}
	if first.Reason != "" || said {
		f.score += whyScore
	}
	if j, file := h.neighbour(i, f.Files, mostTogether-columns(first.Subject)); file != "" {
		second := h.said(j)
		f.Second, f.Files = &second, []string{file}
		f.score += fileScore
	}
	return f.dulled()
}

// shared returns the files that are in both lists.
func shared(a, b []string) []string {
	var both []string
	for _, f := range a {
		if slices.Contains(b, f) {
			both = append(both, f)
		}
	}
	return both
}

// byUse returns files with code first, and of that first what the subject speaks of.
func byUse(files []string, subject string) []string {
	subject = strings.ToLower(subject)
	key := func(file string) int {
		base, _, _ := strings.Cut(strings.ToLower(path.Base(file)), ".")
		if len(base) >= leastName && strings.Contains(subject, base) {
			return 2 * usefulness(file)
		}
		return 2*usefulness(file) + 1
	}
	files = slices.Clone(files)
	sorting.By(files, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	return files
}

// leastName is how many letters a name must have to be known again, in a file or in a choice.
const leastName = 3

// mostQuery and longQuery are how many words, and about how many columns, are searched for.
const (
	mostQuery = 5
	longQuery = 40
)

// Queries returns words to search for: of the subject, of the reason if there is one, and of
// both.
func (s Said) Queries() []string {
	subject, reason := keywords(bare(s.Subject)), keywords(s.Reason)
	if len(subject) == 0 {
		subject = []string{s.Subject}
	}
	queries := []string{first(subject)}
	if len(reason) > 0 {
		queries = append(
			queries,
			first(reason),
			first(subject[:min(3, len(subject))])+" "+first(reason[:min(3, len(reason))]),
		)
	}
	return queries
}

func first(words []string) string {
	text := words[0]
	for _, w := range words[1:min(mostQuery, len(words))] {
		if columns(text)+columns(w) < longQuery {
			text += " " + w
		}
	}
	return text
}

// keywords returns the words of a text without the marks around them.
func keywords(text string) []string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		if word = strings.Trim(word, "`'\"()[]{}<>.,:;!?*-"); word != "" {
			words = append(words, word)
		}
	}
	return words
}
