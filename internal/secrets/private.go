package secrets

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// privateMark is what stands where a private span was.
const privateMark = "[private]"

// Private puts "[private]" in the place of each span that somebody marked as such, from <private> to the
// </private> that belongs to it, or to the end of the text where there is none. Spans may lie in one
// another, capitals do not matter, and tags that JSON or HTML wrote with escapes are tags too. It takes time
// in proportion to the text, and what it gives holds no span.
func Private(text string) string {
	at, deep := 0, 0
	var b strings.Builder
	for i := 0; i < len(text); {
		t := tagAt(text, i)
		switch {
		case t.size == 0:
			i++
			continue
		case !t.closes && deep == 0:
			b.WriteString(text[at:i])
			b.WriteString(privateMark)
			deep++
		case !t.closes:
			deep++
		case deep > 0:
			if deep--; deep == 0 {
				at = i + t.size
			}
		}
		if t.alone && deep > 0 {
			if deep--; deep == 0 {
				at = i + t.size
			}
		}
		i += t.size
	}
	if at == 0 && b.Len() == 0 {
		return text
	}
	if deep == 0 {
		b.WriteString(text[at:])
	}
	if out := b.String(); out != text {
		return Private(out) // what stood around a span may have come to be one
	}
	return text
}

// A tag is one that begins or ends a private span.
type tag struct {
	size   int // in bytes; 0 is no tag
	closes bool
	alone  bool // it ends itself: <private/>
}

// How the ends of a tag are written: as they are, in JSON, in HTML, in an address, wide.
var (
	tagOpens  = []string{"<", `\u003c`, "&lt;", "%3c", "\uff1c"}
	tagCloses = []string{">", `\u003e`, "&gt;", "%3e", "\uff1e"}
)

const (
	privateName = "private"
	longestTag  = 200 // with attributes, in bytes; a longer one has no end
)

// tagAt reads the tag that begins at text[i]. Blanks of any kind, ends of lines and signs that take up no
// room may be between its parts; ends of lines and such signs also inside its name.
func tagAt(text string, i int) tag {
	switch text[i] {
	case '<', '\\', '&', '%', 0xef:
	default:
		return tag{}
	}
	at := i + prefixOf(text[i:], tagOpens)
	if at == i {
		return tag{}
	}
	var t tag
	at = spaces(text, at)
	for _, slash := range []string{"/", `\/`, "%2f", "\uff0f"} { // as some write it in JSON and in addresses
		if n := prefixOf(text[at:], []string{slash}); n > 0 {
			t.closes, at = true, spaces(text, at+n)
			break
		}
	}
	if at = nameEnd(text, at); at == 0 {
		return tag{}
	}
	for end := at; end < len(text) && end-at < longestTag; end++ {
		if n := prefixOf(text[end:], tagCloses); n > 0 {
			t.alone = !t.closes && strings.HasSuffix(text[at:end], "/")
			t.size = end + n - i
			return t
		}
	}
	if t.closes {
		return tag{} // nothing that could end a span
	}
	t.size = at - i
	return t
}

// nameEnd is where the name of the tag ends that begins at at, 0 where it is another name or a longer one.
func nameEnd(text string, at int) int {
	for n := range len(privateName) {
		if n > 0 && at < len(text) && folded(text[at]) != privateName[n] {
			if at = broken(text, at); at == 0 {
				return 0
			}
		}
		if at >= len(text) || folded(text[at]) != privateName[n] {
			return 0
		}
		at++
	}
	if at == len(text) || strings.IndexByte("/>\\&%", text[at]) >= 0 {
		return at
	}
	if size, _ := spaceAt(text, at); size > 0 || prefixOf(text[at:], tagCloses) > 0 {
		return at
	}
	return 0
}

// prefixOf returns the length of the form that s begins with, 0 for none.
func prefixOf(s string, forms []string) int {
	for _, f := range forms {
		if len(s) >= len(f) && strings.EqualFold(s[:len(f)], f) {
			return len(f)
		}
	}
	return 0
}

// spaces skips blanks, ends of lines and signs that take up no room.
func spaces(s string, i int) int {
	for i < len(s) {
		n, _ := spaceAt(s, i)
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// broken skips what may be inside a word by mistake: signs that take up no room, blanks of other sorts, and ends
// of lines with the blanks at the beginning of the next. It is 0 where an ordinary blank alone is there.
func broken(s string, i int) int {
	split := false
	for at := i; ; {
		if at == len(s) {
			return 0
		}
		n, wide := spaceAt(s, at)
		if n == 0 {
			if split {
				return at
			}
			return 0
		}
		if wide && !split && s[at] < utf8.RuneSelf && !lineEnds(s[at:]) {
			return 0
		}
		split = true
		at += n
	}
}

// lineEnds says that s begins with the end of a line, as it is or in JSON.
func lineEnds(s string) bool {
	return s[0] == '\n' || s[0] == '\r' || strings.HasPrefix(s, `\n`) || strings.HasPrefix(s, `\r`) ||
		strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u0085") || strings.HasPrefix(s, "\u2029")
}

// writtenSpaces are blanks as HTML and addresses write them.
var writtenSpaces = []string{
	"&nbsp;", "&#160;", "&#xa0;", "&#8203;", "&#x200b;", "&zwnj;", "&zwj;", "%20", "%0a", "%0d",
}

// spaceAt is the length of the blank, the end of a line or the sign without room at s[i], 0 for none. What
// takes up room is wide.
func spaceAt(s string, i int) (size int, wide bool) {
	switch c := s[i]; {
	case c == ' ' || c >= '\t' && c <= '\r' || c == 0:
		return 1, true
	case c == '&', c == '%':
		n := prefixOf(s[i:], writtenSpaces)
		return n, true
	case c == '\\':
		return escapedSpace(s[i:])
	case c < utf8.RuneSelf:
		return 0, false
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if unicode.IsSpace(r) {
		return n, true
	}
	if unseen(r) {
		return n, false
	}
	return 0, false
}

// escapedSpace is the same for what JSON writes with an escape.
func escapedSpace(s string) (size int, wide bool) {
	if len(s) > 1 && strings.IndexByte("nrtfv", s[1]) >= 0 {
		return 2, true
	}
	if len(s) < jsonRune || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:jsonRune], 16, 16)
	if r := rune(n); err == nil && (unicode.IsSpace(r) || unseen(r)) {
		return jsonRune, unicode.IsSpace(r)
	}
	return 0, false
}
