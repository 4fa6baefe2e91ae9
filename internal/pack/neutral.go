package pack

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Neutral makes a text that is given in full as harmless as one in a pack: what
// hides, reorders or carries text unseen, and forged tags of roles, are written as
// escapes. Its lines stay lines.
func Neutral(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '<' }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var before rune // the last character written as it is
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(byte(r))
		case unseen(r, before) || r == '<' && role(s[i+1:]):
			fmt.Fprintf(&b, `\u{%x}`, r)
			r = 0
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
		before = r
		i += n
	}
	return b.String()
}
