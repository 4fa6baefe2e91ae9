package decisions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/lazy"
	parting "github.com/stemma-memory/stemma/internal/sentences"
)

// Bounds of a sentence that can be quoted, in columns.
const (
	leastSentence = 20
	mostSentence  = 140
)

var (
	// trailer is a line for programs: "Signed-off-by: …", "Ref: …", "Fixes #12".
	trailer = lazy.Regexp(`(?i)^[a-z][\w-]*(-by|-id|-to|-from): |^(ref|refs|fix|fixes|fixed|close|closes|closed|` +
		`resolves|see|` +
		`issue|pr|bug|cc|link|change-id|backport|signed)\b[^.]{0,20}(#|:|http)|^\(cherry picked|(?i)\breverts? (commit ` +
		`)?[0-9a-f]{7}`)
	labelled = lazy.Regexp(`(?i)^(reason( for (the )?revert(ing)?)?|why|motivation|rationale): *`)
)

// sentences returns the sentences of the body of a message that can be quoted, unwrapped.
func sentences(message string) []string {
	_, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	var list []string
	var paragraph []string
	flush := func() {
		text := strings.Join(paragraph, " ")
		paragraph = nil
		for from, to := range parting.Spans(text) {
			if s := text[from:to]; quotable(s) {
				list = append(list, s)
			}
		}
	}
	code := false
	for l := range strings.Lines(body) {
		text := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(text, "```"):
			code = !code
			flush()
		case text == "" || code || strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t") ||
			strings.HasPrefix(text, "#") || strings.HasPrefix(text, ">") || trailer.Get().MatchString(text):
			flush()
		case strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "- "):
			flush()
			paragraph = []string{strings.TrimSpace(text[2:])}
		default:
			paragraph = append(paragraph, labelled.Get().ReplaceAllString(text, ""))
		}
	}
	flush()
	return list
}

// quotable reports whether a sentence is words that can be read alone.
func quotable(s string) bool {
	n := columns(s)
	first, _ := utf8.DecodeRuneInString(s)
	spaced := strings.Count(s, " ") >= 3 || len(s) > utf8.RuneCountInString(s) // some languages use no spaces
	return n >= leastSentence && n <= mostSentence && spaced &&
		(unicode.IsDigit(first) || unicode.IsLetter(first) && !unicode.IsLower(first)) &&
		!strings.Contains(s, "://") &&
		!strings.HasPrefix(s, "Revert ") &&
		!strings.HasSuffix(s, ":") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// reasonOf returns the first sentence of a body that says why; "" for none.
func reasonOf(message string) string {
	for _, s := range sentences(message) {
		if why.Get().MatchString(s) {
			return s
		}
	}
	return ""
}

func firstSentence(message string) string {
	if list := sentences(message); len(list) > 0 {
		return list[0]
	}
	return ""
}

// columns returns about how wide a text is on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x1100 { // East Asian letters and pictures are two columns wide
			n++
		}
	}
	return n
}
