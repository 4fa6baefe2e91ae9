package bearing

import (
	"strings"
	"unicode"
)

// fieldsOf returns the words of a question.
func fieldsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("._-/'’", c)
	})
}

// named says whether a word inside a question is written as a name or an identifier. A word all in capitals is not.
func named(word string) bool {
	if strings.ContainsFunc(word, func(c rune) bool { return unicode.IsDigit(c) || c == '_' }) {
		return true
	}
	return strings.ToUpper(word) != word && strings.ContainsFunc(word, unicode.IsUpper)
}

// strip leaves out what is no letter or digit at both ends of a word, and that it owns something.
func strip(word string) string {
	word = strings.TrimFunc(word, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for _, end := range []string{"'s", "’s"} {
		word = strings.TrimSuffix(word, end)
	}
	return word
}
