// Package plain makes text of strangers harmless for a terminal, for every room that prints.
package plain

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Text shows control characters, bidirectional overrides, tag characters and
// invisible ones as escapes. Line breaks and tabs stay.
func Text(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd") // a lone byte can be a control sequence too
	if strings.IndexFunc(s, Harmful) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if Harmful(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Harmful reports whether a rune can steer a terminal, or hide from who reads.
func Harmful(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u200d': // joins the parts of an emoji
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return true
	case r >= 0xE0000 && r <= 0xE0FFF: // tags and invisible variation selectors
		return true
	}
	return false
}

// Line returns text as one harmless line of at most width columns.
func Line(s string, width int) string {
	s = strings.Join(strings.Fields(Text(s)), " ")
	return Cut(s, width)
}

// Cut returns a line of at most width columns: what is left of a longer one ends with a
// word and a mark. A word that takes more than half of the room, as an address or
// a text without blanks does, is cut between two characters as people see them.
// Escapes of a terminal take no room and stay whole.
func Cut(s string, width int) string {
	text := ansi.Strip(s)
	if ansi.StringWidth(text) <= width {
		return s
	}
	const half = 2
	kept := ansi.Truncate(text, width-ansi.StringWidth(mark), "")
	if rest := text[len(kept):]; !strings.HasPrefix(rest, " ") {
		if at := strings.LastIndexByte(kept, ' '); at > 0 && ansi.StringWidth(kept[:at]) >= width/half {
			kept = kept[:at]
		}
	}
	kept = strings.TrimRight(kept, " ")
	return ansi.Truncate(s, ansi.StringWidth(kept)+ansi.StringWidth(mark), mark)
}

// mark stands where words were left out.
const mark = "…"

// Lines returns text as harmless lines of at most width columns each, broken
// between words where that can be.
func Lines(s string, width int) []string {
	s = strings.ReplaceAll(strings.TrimRight(Text(s), "\n\t "), "\t", "    ")
	return strings.Split(ansi.Wrap(s, max(width, 2), ""), "\n")
}
