package pack

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What is no memory's words is cut after so many characters.
const (
	maxPath   = 160
	maxWhy    = 160
	maxQuery  = 400
	maxNotice = 160
	maxName   = 64
	maxRef    = 96
)

// Quote sets the words of a memory so that they look like nothing we write: in
// quotation marks, with those in them, brackets and backslashes escaped.
func Quote(words string) string {
	var b strings.Builder
	b.Grow(len(words) + 8)
	b.WriteByte('"')
	for _, r := range words {
		switch r {
		case '"', '\\', '[', ']', '“', '”', '„', '‟', '″', '＂', '［', '］', '【', '】':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

// oneLine makes a text one harmless line of at most so many characters.
func oneLine(s string, most int) string {
	const spare = 8 // blanks may fall together
	return shortened(harmless(head(s, most*spare)), most)
}

// trailing reports whether a character says nothing at the end of a text that was cut.
func trailing(r rune) bool { return r == ' ' || r == joiner || unicode.Is(unicode.M, r) }

// OneLine makes a text one harmless line, with all that it says.
func OneLine(s string) string { return harmless(s) }

// head drops what lies so many bytes beyond the beginning.
func head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := most
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return s[:n]
}

// shortened cuts a line after so many characters, at a word if one ends near, with a sign at the cut.
func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n < most || len(s)-i < most && utf8.RuneCountInString(s) <= most {
			continue
		}
		if at := strings.LastIndexByte(s[:i], ' '); at > i*2/3 {
			i = at
		}
		return strings.TrimRightFunc(s[:i], trailing) + gap
	}
	return s
}

const (
	joiner     = '\u200d' // holds the parts of one emoji together
	textStyle  = '\ufe0e'
	emojiStyle = '\ufe0f'
)

// harmless makes a text one line that cannot steer whoever shows or reads it: blanks and line ends become
// one space; control characters, bidirectional overrides, tags and all that cannot be seen, forged role
// tags and the lines we draw ourselves are written as escapes.
func harmless(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var before rune // the last character written as it is
	equals := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '=' {
			equals++
		} else {
			equals = 0
		}
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
			before = utf8.RuneError
		case unicode.IsSpace(r):
			if b.Len() > 0 && before != ' ' {
				b.WriteByte(' ')
				before = ' '
			}
		case unseen(r, before), equals >= 3 && heads(s[i+1:]), r == '<' && role(s[i+1:]):
			fmt.Fprintf(&b, `\u{%x}`, r)
			before = 0
			equals = 0
		default:
			b.WriteString(s[i : i+n])
			before = r
		}
		i += n
	}
	return strings.TrimRight(b.String(), " ")
}

// heads reports whether what follows an equals sign makes it the beginning of a line that we draw ourselves.
func heads(rest string) bool {
	const name = "stemma"
	rest = strings.TrimLeftFunc(head(rest, 64), unicode.IsSpace)
	return len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name)
}

// plain says that a text is printable ASCII with nothing to look at twice.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= 0x7f || c == '=' || c == '<':
			return false
		case c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' '):
			return false
		}
	}
	return true
}

// unseen tells characters that hide, reorder or carry text unseen. What makes one emoji of several, or a
// picture of a sign, stays where it follows something it can belong to.
func unseen(r, before rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r == joiner:
		return before < 0x2190 || before == joiner
	case r == emojiStyle, r == textStyle:
		return before < 0x21 || before == emojiStyle || before == textStyle || before == joiner
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // selectors of variants, tags
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b &&
		r <= 0x180f, r == 0x2800, r == 0x3164, r == 0xffa0:
		return true // fillers and joiners that show nothing
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

// roles are the names of tags by which programs mark to a model who speaks.
var roles = []string{"memory", "memories", "system", "assistant", "user", "human", "tool", "function", "instruction",
	"context", "result", "document", "thinking", "important", "prompt", "developer", "message", "stemma"}

// role reports whether what follows a "<" makes it a role's tag or a model's own sign.
func role(rest string) bool {
	rest = strings.TrimLeft(head(rest, 32), " /!?\t\r\n")
	if strings.HasPrefix(rest, "|") {
		return true
	}
	for _, name := range roles {
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		after := strings.TrimLeft(rest[len(name):], "sS")
		if after == "" || !asciiLetter(after[0]) { // a number is no other name
			return true
		}
	}
	return false
}

func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
