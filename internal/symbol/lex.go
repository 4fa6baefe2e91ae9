package symbol

import "strings"

// all reads the whole file.
func (l *lexer) all() {
	if strings.HasPrefix(l.src, byteOrderMark) {
		l.pos = len(byteOrderMark)
	}
	if l.has("#!") && (l.script || l.hash || l.rust && !l.has("#![")) {
		l.skipLine()
	}
	for l.bad == "" && l.pos < len(l.src) {
		l.next()
	}
	line := 0
	for i := range l.tokens {
		t := &l.tokens[i]
		for line+1 < len(l.lines) && l.lines[line+1] <= t.start {
			line++
		}
		t.line = int32(line + 1)
	}
}

// next reads one token or skips one space or comment.
func (l *lexer) next() {
	c := l.src[l.pos]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
		l.pos++
	case c == '\\' && l.python && (l.peek(1) == '\n' || l.has("\\\r\n")):
		l.pos++
	case l.comment():
	case isDigit(c):
		l.number()
	case isWordByte(c):
		l.word()
	case c == '"' || c == '\'' || c == '`' && l.script:
		l.quote(c)
	case c == '#' && l.c && l.atLineStart():
		l.directive()
	case c == '/' && l.script && l.regexMayStart() && l.regex():
	case c == '<' && l.jsx && l.regexMayStart() && l.element():
	default:
		l.operator(c)
	}
}

func (l *lexer) number() {
	start := l.pos
	for l.pos < len(l.src) && (isWordByte(l.src[l.pos]) || l.c && l.src[l.pos] == '\'' && isWordByte(l.peek(1))) {
		l.pos++
	}
	l.emit(number, start, 0)
}

func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.src) && isWordByte(l.src[l.pos]) {
		l.pos++
	}
	text := l.src[start:l.pos]
	switch {
	case l.python && isPythonPrefix(text) && (l.peek(0) == '"' || l.peek(0) == '\''):
		l.pythonString(start, strings.ContainsAny(text, "fFtT"))
		return
	case l.c && l.peek(0) == '"' && (text == "R" || text == "LR" || text == "uR" || text == "UR" || text == "u8R"):
		l.cRaw(start)
		return
	case l.rust && (text == "r" || text == "br" || text == "cr") && (l.peek(0) == '"' || l.peek(0) == '#'):
		if l.rustRaw(start) {
			return
		}
		if text == "r" && isWordByte(l.peek(1)) { // r#type is the name "type"
			l.pos++
			l.word()
			return
		}
	}
	l.emit(word, start, 0)
}

// joined are the operators of more than one character. A > is never joined to
// another, so that those of List<List<T>> come one by one.
var joined = []string{"===", "!==", "...", "**=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "..", "++",
	"--",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "->", ":=", "**"}

func (l *lexer) operator(c byte) {
	start := l.pos
	for _, op := range joined {
		if op[0] == c && l.has(op) {
			l.pos += len(op)
			l.emit(punct, start, 0)
			return
		}
	}
	if l.script && c == '(' {
		l.conds = append(l.conds, l.lastIs("if", "while", "for", "with"))
	}
	if l.script && c == ')' && len(l.conds) > 0 {
		l.isCond = l.conds[len(l.conds)-1]
		l.conds = l.conds[:len(l.conds)-1]
	}
	l.pos++
	l.emit(punct, start, c)
}
