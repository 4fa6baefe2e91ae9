package secrets

import "strings"

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

// How the ends of a tag are written: as they are, in JSON, in HTML.
var (
	tagOpens  = []string{"<", `\u003c`, "&lt;"}
	tagCloses = []string{">", `\u003e`, "&gt;"}
)

const (
	privateName = "private"
	longestTag  = 200 // with attributes, in bytes; a longer one has no end
)

// tagAt reads the tag that begins at text[i].
func tagAt(text string, i int) tag {
	if c := text[i]; c != '<' && c != '\\' && c != '&' {
		return tag{}
	}
	at := i + prefixOf(text[i:], tagOpens)
	if at == i {
		return tag{}
	}
	var t tag
	at = blanks(text, at)
	if strings.HasPrefix(text[at:], "/") {
		t.closes, at = true, blanks(text, at+1)
	} else if strings.HasPrefix(text[at:], `\/`) { // as some write it in JSON
		t.closes, at = true, blanks(text, at+2)
	}
	if len(text)-at < len(privateName) || !strings.EqualFold(text[at:at+len(privateName)], privateName) {
		return tag{}
	}
	at += len(privateName)
	if at < len(text) && !strings.ContainsRune(" \t\r\n/>\\&", rune(text[at])) {
		return tag{} // the beginning of a longer name
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

// prefixOf returns the length of the form that s begins with, 0 for none.
func prefixOf(s string, forms []string) int {
	for _, f := range forms {
		if len(s) >= len(f) && strings.EqualFold(s[:len(f)], f) {
			return len(f)
		}
	}
	return 0
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}
