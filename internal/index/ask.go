package index

import (
	"slices"
	"strings"
	"unicode"

	"github.com/stemma-memory/stemma/internal/words"
)

// mostTerms is how many terms are looked for: a question has fewer, and a whole
// book is no question.
const mostTerms = 256

// Askable leaves out what cannot be a term: those of package words are
// letters and digits, and whatever else comes may only be found, never obeyed.
func Askable(terms []string) []string {
	var out []string
	for _, t := range terms {
		t = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, strings.ToValidUTF8(t, ""))
		if t != "" && len(t) <= words.MaxBytes && len(out) < mostTerms && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
