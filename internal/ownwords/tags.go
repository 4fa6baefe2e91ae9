package ownwords

import "strings"

const blanks = " \t\r\n"

// A tag is one that a text begins with.
type tag struct {
	open  int    // where the words after it begin
	name  string // which may be longer than the one that was looked for, if that ends in *
	close string
}

// tagAt returns the tag of a name that a text begins with. A name may be followed by an attribute that the tag
// has first: "task id=".
func tagAt(text, name string) (tag, bool) {
	if !strings.HasPrefix(text, "<") {
		return tag{}, false
	}
	if short, attribute, has := strings.Cut(name, " "); has && strings.HasSuffix(name, "=") {
		if !strings.HasPrefix(text[1:], short+" "+attribute) {
			return tag{}, false
		}
		name = short
	}
	name, any := strings.CutSuffix(name, "*")
	if !strings.HasPrefix(text[1:], name) {
		return tag{}, false
	}
	n := 1 + len(name)
	for any && n < len(text) && !strings.ContainsRune("> \t\r\n", rune(text[n])) {
		n++
	}
	end := strings.IndexByte(text[n:], '>')
	if end < 0 || strings.Contains(text[n:n+end], "<") || end > 0 && !strings.ContainsRune(" \t\r\n", rune(text[n])) {
		return tag{}, false
	}
	return tag{n + end + 1, text[1:n], "</" + text[1:n] + ">"}, true
}

// says reports whether the words after a tag begin in a certain way.
func (t tag) says(text, words string) bool {
	return strings.HasPrefix(strings.TrimLeft(text[t.open:], blanks), words)
}

// end returns where the block ends that a text begins with: at the tag that closes it where the text may be
// parted, 0 where there is none.
func (t tag) end(text string, parted func(rest string) bool) int {
	at := t.open
	for range mostTried {
		i := strings.Index(text[at:], t.close)
		if i < 0 {
			break
		}
		if at += i + len(t.close); parted(text[at:]) && t.balanced(text[:at]) && t.balanced(text[at:]) {
			return at
		}
	}
	at = len(text)
	for range mostTried { // none fits: all of it, up to the last
		i := strings.LastIndex(text[:at], t.close)
		if i < t.open {
			break
		}
		if end := i + len(t.close); parted(text[end:]) {
			return end
		}
		at = i
	}
	return 0
}

// mostTried is how many tags are looked at for the end or the beginning of one block.
const mostTried = 64

// balanced reports whether as many blocks begin as end in a text.
func (t tag) balanced(text string) bool {
	return strings.Count(text, "<"+t.name+">")+strings.Count(text, "<"+t.name+" ") == strings.Count(text, t.close)
}

// tagEnding returns the tag of the block that a text ends with, and where it begins: at the beginning of a
// line, unless it is tight. It is 0 where there is none.
func tagEnding(text, name string, tight bool) (tag, int) {
	if strings.HasSuffix(name, "*") || !strings.HasSuffix(text, "</"+name+">") {
		return tag{}, 0
	}
	begins := func(i int) (tag, bool) {
		t, is := tagAt(text[i:], name)
		return t, is && i > 0 && (tight || text[i-1] == '\n')
	}
	at := len(text)
	for range mostTried {
		if at = strings.LastIndex(text[:at], "<"+name); at <= 0 {
			break
		}
		if t, is := begins(at); is && t.balanced(text[at:]) && t.balanced(text[:at]) {
			return t, at
		}
	}
	for i := 0; ; i++ { // none fits: all of it, from the first
		k := strings.Index(text[i:], "<"+name)
		if k < 0 {
			return tag{}, 0
		}
		if i += k; i > 0 {
			if t, is := begins(i); is {
				return t, i
			}
		}
	}
}

// endsLine reports whether a line ends before a text.
func endsLine(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text == "" || text[0] == '\n' || text[0] == '\r'
}

// lastLine returns where the last line begins that is the given one, -1 if none is.
func lastLine(text, given string) int {
	for at := len(text); ; {
		i := strings.LastIndex(text[:at], given)
		if i < 0 {
			return -1
		}
		if (i == 0 || text[i-1] == '\n') && endsLine(text[i+len(given):]) {
			return i
		}
		at = i
	}
}

// firstLine returns where the first line begins that is the given one, -1 if none is.
func firstLine(text, given string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], given)
		if i < 0 {
			return -1
		}
		if i += at; (i == 0 || text[i-1] == '\n') && endsLine(text[i+len(given):]) {
			return i
		}
		at = i + len(given)
	}
}
