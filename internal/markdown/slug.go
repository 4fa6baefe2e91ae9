package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxSlug bounds what a file is called after its headline, in bytes.
const maxSlug = 60

// Slug returns a name for a file after a headline: letters, marks and digits in lower
// case with single hyphens between, nothing that any file system gives a meaning.
// A name from headlines without such is empty.
func Slug(headline string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(norm.NFC.String(headline)) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			gap = b.Len() > 0
			continue
		}
		if b.Len()+len(string(r))+1 > maxSlug {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
