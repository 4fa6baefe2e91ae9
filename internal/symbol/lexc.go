package symbol

import "strings"

func (l *lexer) atLineStart() bool {
	for i := l.pos - 1; i >= 0; i-- {
		switch l.src[i] {
		case '\n':
			return true
		case ' ', '\t', '\r', '\f', '\v':
		default:
			return i == 2 && strings.HasPrefix(l.src, byteOrderMark)
		}
	}
	return true
}

func (l *lexer) blanks() {
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.pos++
	}
}

// directive reads a line of the preprocessor, and behind #if 0 what is left out.
func (l *lexer) directive() {
	d := directive{start: l.pos, token: len(l.tokens)}
	l.pos++
	l.blanks()
	d.text = l.name()
	l.blanks()
	d.name = l.pos
	switch d.text {
	case "define":
		l.name()
	case "include", "include_next", "import":
		l.includePath()
	}
	d.body = l.pos
	for l.bad == "" && l.pos < len(l.src) && (l.src[l.pos] != '\n' || l.continued()) {
		c := l.src[l.pos]
		switch {
		case c == '/' && (l.peek(1) == '*' || l.peek(1) == '/'):
			l.comment()
		case d.text == "define" && (c == '"' || c == '\''):
			l.inDefine(c)
		default:
			l.pos++
		}
	}
	d.end = l.pos
	l.direct = append(l.direct, d)
	if d.text == "if" && strings.TrimSpace(l.src[d.name:d.end]) == "0" {
		l.skipDead()
	}
}

func (l *lexer) name() string {
	start := l.pos
	for isWordByte(l.peek(0)) {
		l.pos++
	}
	return l.src[start:l.pos]
}

// includePath skips <path> or "path", which may look like a comment.
func (l *lexer) includePath() {
	end := byte('"')
	if l.peek(0) == '<' {
		end = '>'
	} else if l.peek(0) != '"' {
		return
	}
	for l.pos++; l.pos < len(l.src) && l.src[l.pos] != end && l.src[l.pos] != '\n'; {
		l.pos++
	}
}

// inDefine skips a string of a macro, or its mark alone if it has no partner.
func (l *lexer) inDefine(mark byte) {
	for i := l.pos + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		if l.src[i] == '\\' {
			i++
			continue
		}
		if l.src[i] == mark {
			l.pos = i + 1
			return
		}
	}
	l.pos++
}

// skipDead goes to the directive that ends #if 0.
func (l *lexer) skipDead() {
	for nest := 0; l.pos < len(l.src); l.skipLine() {
		l.pos++ // the end of the line before
		start := l.pos
		l.blanks()
		if l.peek(0) != '#' {
			continue
		}
		l.pos++
		l.blanks()
		switch word := l.name(); {
		case strings.HasPrefix(word, "if"):
			nest++
		case nest == 0 && (word == "endif" || strings.HasPrefix(word, "el")):
			l.pos = start
			return
		case word == "endif":
			nest--
		}
	}
	l.pos = min(l.pos, len(l.src))
}

// A group is #if to #endif: the token ranges of its branches.
type group struct {
	branches [][2]int
	hasElse  bool
	parent   int32 // the branch it stands in
	line     int
}
