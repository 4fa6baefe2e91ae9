package folder

import (
	"strings"
)

// A Markdown file is opened by programs that act on it: raw HTML, links of any scheme,
// pictures that are fetched. A memory's words may come from anybody, so the characters with
// which CommonMark starts such a thing are escaped by a backslash on export and unescaped on
// import. Links to the web, lists, emphasis and code stay.

// harmless returns words in which nothing is raw HTML, an autolink, a picture, or a link
// to anything but a page of the web.
func harmless(text string) string {
	return backslashes(text, func(t token) int {
		switch {
		case t.last == '<':
			return t.run + 1 // an odd number of them: an even one would escape only itself
		case t.run > 0 || !t.web:
			return 1
		}
		return 0
	})
}

// harmful returns the words again that harmless made so.
func harmful(text string) string {
	return backslashes(text, func(t token) int {
		switch {
		case t.last == '<':
			return -(t.run + 1) / 2
		case t.run > 0:
			return -1
		}
		return 0
	})
}

// A token is what could begin raw HTML, a link or a picture: its last character, and
// the backslashes before it.
type token struct {
	last byte
	run  int
	web  bool // a link to a page of the web
}

// backslashes goes through a text, and adds as many backslashes before the end of each
// token as change says, or takes them away.
func backslashes(text string, change func(token) int) string {
	if !strings.ContainsAny(text, "<]!") {
		return text
	}
	var b strings.Builder
	done, run := 0, 0
	for i := range len(text) {
		c := text[i]
		if c == '\\' {
			run++
			continue
		}
		var before byte
		if at := i - run - 1; at >= 0 {
			before = text[at]
		}
		t := token{last: c, run: run, web: toWeb(text[i+1:], c)}
		if begins(before, text[i:]) {
			n := change(t)
			b.WriteString(text[done : i+min(n, 0)])
			b.WriteString(strings.Repeat(`\`, max(n, 0)))
			done = i
		}
		run = 0
	}
	b.WriteString(text[done:])
	return b.String()
}

// begins reports whether CommonMark could begin something here: a tag, a comment or an
// autolink; where a link goes; a definition of links; or a picture.
func begins(before byte, rest string) bool {
	switch rest[0] {
	case '<':
		return len(rest) > 1 && (rest[1]|0x20 >= 'a' && rest[1]|0x20 <= 'z' || strings.IndexByte("/!?", rest[1]) >= 0)
	case '(', ':':
		return before == ']'
	case '[':
		return before == '!'
	}
	return false
}

// toWeb reports whether a link whose last token this is leads to a page of the web.
func toWeb(rest string, last byte) bool {
	switch last {
	case ':':
		rest = strings.TrimLeft(rest, " \t")
	case '(':
	default:
		return false
	}
	for _, scheme := range []string{"https://", "http://"} {
		if len(rest) > len(scheme) && strings.EqualFold(rest[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}
