package extract

import (
	"slices"
	"strings"
	"time"
)

// Remember drafts what a statement, or a few sentences, tell. Who says "I" is the user. Relative words, such as
// "yesterday", are read only where now is not zero. Every draft rests on event 0, the text itself.
func Remember(text string, now time.Time) ([]Entity, []Draft) {
	return RememberBy("", text, now)
}

// RememberBy is Remember for words of a named speaker, who then stands in the drafts instead of "I".
func RememberBy(speaker, text string, now time.Time) ([]Entity, []Draft) {
	speaker = name(speaker)
	if isUser(speaker) {
		speaker = ""
	}
	list := sentences(text)
	known := usedNames(list)
	t := teller{name: speaker, now: now, known: known}
	var drafts []Draft
	for _, s := range list {
		drafts = append(drafts, t.read(s)...)
	}
	for i := range drafts {
		drafts[i].From = []int{0}
	}
	found := entities(list, known)
	if slices.ContainsFunc(drafts, func(d Draft) bool { return slices.Contains(d.About, or(speaker, User)) }) {
		found = append([]Entity{{or(speaker, User), "person"}}, found...)
	}
	return found, kept(drafts)
}

func isUser(speaker string) bool {
	switch strings.ToLower(speaker) {
	case "", "user", "me", "i", "owner", "human":
		return true
	}
	return false
}

// usedNames returns the names that stand as names somewhere in a text, in small letters: they are names at a
// sentence's beginning too.
func usedNames(list []sentence) map[string]bool {
	known := map[string]bool{}
	for _, s := range list {
		for i := 1; i < len(s.words); i++ {
			if s.words[i-1].after != '.' && isCapital(s.words[i].text) {
				if j := s.nameAt(i); j > i {
					known[strings.ToLower(s.properly(i, j))] = true
				}
			}
		}
	}
	return known
}
