package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folded returns a text as it is compared with another that may say the same: the
// first letter small, runs of spaces as one, and no full stop or exclamation mark at
// the end. A text of nothing else folds to "", which says nothing.
func Folded(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimRight(text, ".!。！ ")
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || first == utf8.RuneError {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// Same reports whether two texts fold to the same words.
func Same(a, b string) bool {
	folded := Folded(a)
	return folded != "" && folded == Folded(b)
}
