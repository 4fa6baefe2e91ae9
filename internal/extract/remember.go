package extract

import (
	"cmp"
	"slices"
	"strings"
	"time"

	parting "github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// AsSaid is the rule of a note that keeps words as they were said.
const AsSaid = "as said"

// mostKept is how many memories a text becomes. What has more statements is a document: it is kept as one note, with
// the first of what the rules draft of it.
const mostKept = 20

// Kept drafts what words that somebody wants remembered tell: a statement that no rule drafts becomes a note as
// it stands, and so does a text of which nothing else is left. It returns no draft only of a text without words.
func Kept(speaker, text string, now time.Time) []Draft {
	_, drafts, left := remember(speaker, text, now)
	if drafts = kept(drafts); len(drafts)+len(left) > mostKept {
		return kept(append(drafts[:min(len(drafts), mostKept-1)], asSaid(text, nil)))
	}
	if whole := asSaid(text, nil); hasCode(text) || hasPhrases(speaker, text, now) { // which no sentence says
		drafts = slices.DeleteFunc(drafts, func(d Draft) bool { // it only introduces the list
			introduces := strings.Contains(whole.Body, d.Text+":\n")
			if introduces && d.Kind == whole.Kind {
				whole.Type = d.Type
			}
			return introduces
		})
		return kept(append(drafts, whole))
	}
	for _, s := range left {
		drafts = append(drafts, asSaid(s.text, s.namesIn(usedNames([]sentence{s}))))
	}
	if drafts = kept(drafts); len(drafts) == 0 && !hollow(text) {
		drafts = kept([]Draft{asSaid(text, nil)})
	}
	return drafts
}

// KeptAs is Kept for words of which their author knows what they are: one memory of that kind, whole, and about what
// Kept finds in them.
func KeptAs(speaker, text string, now time.Time, kind memory.Kind, typ string) []Draft {
	d := asSaid(text, nil)
	d.Kind, d.Type = kind, typ
	for _, found := range Kept(speaker, text, now) {
		for _, name := range found.About {
			if !slices.Contains(d.About, name) {
				d.About = append(d.About, name)
			}
		}
	}
	return kept([]Draft{d})
}

// hasCode reports whether a text has lines of code, a table or a quotation beside its sentences.
func hasCode(text string) bool {
	lines := 0
	for l := range strings.Lines(text) {
		t := strings.TrimSpace(l)
		switch {
		case t == "":
		case fenceOf(t) != "":
			return true
		case strings.HasPrefix(l, "    "), strings.HasPrefix(l, "\t"), strings.HasPrefix(t, "|"), strings.HasPrefix(t, "$ "),
			strings.HasPrefix(t, "#!"):
			lines++
		}
	}
	return lines > 0
}

// hasPhrases reports whether a text has a list with an item that says nothing alone, such as the steps of a work.
func hasPhrases(speaker, text string, now time.Time) bool {
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if n := parting.Marker(l); n > 0 {
			if _, drafts, left := remember(speaker, l[n:], now); len(kept(drafts))+len(left) == 0 {
				return true
			}
		}
	}
	return false
}

// hollow reports whether nothing is left of a text but the marks of what was taken out of it.
func hollow(text string) bool {
	for {
		before, rest, found := strings.Cut(text, "[")
		if strings.TrimSpace(before) != "" {
			return false
		}
		if !found {
			return true
		}
		mark, after, closed := strings.Cut(rest, "]")
		if !closed || mark != "private" && !strings.HasPrefix(mark, "REDACTED:") {
			return false
		}
		text = after
	}
}

// goesOn ends what is too long for a memory.
const goesOn = " … (cut; the captured words that it rests on have all)"

// asSaid is the draft of a note of some words.
func asSaid(text string, about []string) Draft {
	d := Draft{
		Kind: memory.KindNote, Type: "observation", Text: line(text), About: about, From: []int{0}, Confidence: likely,
		Rule: AsSaid,
	}
	if text = strings.TrimSpace(text); strings.ContainsAny(text, "\r\n") {
		d.Body = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if len(text) > memory.MaxText { // the captured words have the rest
		d.Text = shorten.To(d.Text, memory.MaxText-len(goesOn)) + goesOn
		if d.Body != "" {
			d.Body = shorten.To(plain(text), memory.MaxText-len(goesOn)) + goesOn
		}
	}
	return d
}

// remember reads a text sentence by sentence. What is left are statements that no rule drafts.
func remember(speaker, text string, now time.Time) (found []Entity, drafts []Draft, left []sentence) {
	speaker = name(speaker)
	if isUser(speaker) {
		speaker = ""
	}
	list := sentences(text)
	known := usedNames(list)
	t := teller{name: speaker, now: now, known: known}
	for _, s := range list {
		of := t.read(s)
		if drafts = append(drafts, of...); len(kept(of)) == 0 && s.states() {
			left = append(left, s)
		}
	}
	for i := range drafts {
		drafts[i].From = []int{0}
	}
	found = entities(list, known)
	if slices.ContainsFunc(drafts, func(d Draft) bool { return slices.Contains(d.About, cmp.Or(speaker, User)) }) {
		found = append([]Entity{{cmp.Or(speaker, User), "person"}}, found...)
	}
	return found, drafts, left
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
