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

// quote reads what begins with a quotation mark.
func (l *lexer) quote(c byte) {
	switch {
	case c == '`':
		l.template()
	case l.python:
		l.pythonString(l.pos, false)
	case l.java && l.has(`"""`):
		l.until(`"""`, 3)
	case l.rust && c == '\'':
		l.rustTick()
	default:
		l.simple(c, l.rust)
	}
}

// template reads `text ${code} text`.
func (l *lexer) template() {
	start := l.pos
	l.open()
	for l.bad == "" && l.pos < len(l.src) {
		switch {
		case l.src[l.pos] == '\\':
			l.pos += 2
		case l.src[l.pos] == '`':
			l.pos++
			l.shut()
			return
		case l.has("${"):
			l.pos++
			l.code()
		default:
			l.pos++
		}
	}
	if l.bad == "" {
		l.pos = start
	}
	l.fail("a template does not end")
}

// code reads from { to its }.
func (l *lexer) code() {
	if l.depth++; l.depth > maxDepth {
		l.fail("templates nest too deep")
	}
	defer func() { l.depth-- }()
	conds := l.conds
	l.conds = nil
	defer func() { l.conds = conds }()
	for nest := 0; l.bad == "" && l.pos < len(l.src); {
		count := len(l.tokens)
		if c := l.src[l.pos]; c == '{' || c == '}' {
			l.operator(c)
		} else {
			l.next()
		}
		if len(l.tokens) == count+1 {
			switch l.tokens[count].ch {
			case '{':
				nest++
			case '}':
				if nest--; nest == 0 {
					return
				}
			}
		}
	}
	l.fail("a bracket does not close")
}

// element reads a JSX element, if it is one: its end must be there.
func (l *lexer) element() bool {
	if c := l.peek(1); c != '>' && (!isWordByte(c) || isDigit(c)) {
		return false
	}
	if l.typed && l.genericArrow() {
		return false
	}
	before := *l
	count := len(l.tokens)
	l.open()
	l.pos--
	if l.tag() {
		l.shut()
		return true
	}
	failed, bad, at := l.failed+1, l.bad, l.pos
	*l = before
	l.tokens = l.tokens[:count]
	if l.failed = failed; failed > maxFailed {
		if l.pos, l.bad = at, bad; bad == "" {
			l.fail("an element does not end")
		}
	}
	return false
}

// tag reads an element from its < to the > of its end.
func (l *lexer) tag() bool {
	if l.depth++; l.depth > maxDepth {
		return l.fail("elements nest too deep")
	}
	defer func() { l.depth-- }()
	l.pos++
	name := l.tagName()
	for l.bad == "" && l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '>':
			l.pos++
			return l.children(name)
		case l.has("/>"):
			l.pos += 2
			return true
		case c == '{':
			l.code()
		case c == '"' || c == '\'':
			for l.pos++; l.pos < len(l.src) && l.src[l.pos] != c; {
				l.pos++
			}
			l.pos++
		case c == '<': // type arguments, or an element as a value
			if l.pos > 0 && l.src[l.pos-1] == '=' {
				if !l.tag() {
					return false
				}
			} else if !l.tagTypes() {
				return false
			}
		case isWordByte(c) || c == '-' || c == ':' || c == '.' || c == '=' || c == ' ' || c == '\n' || c == '\r' || c == '\t':
			l.pos++
		case l.comment():
		default:
			return false
		}
	}
	return false
}

// children reads text, code and elements up to the closing tag.
func (l *lexer) children(name string) bool {
	for l.bad == "" && l.pos < len(l.src) {
		switch {
		case l.src[l.pos] == '{':
			l.code()
		case l.has("</"):
			l.pos += 2
			l.spaces()
			if l.tagName() != name {
				return false
			}
			l.spaces()
			if l.peek(0) != '>' {
				return false
			}
			l.pos++
			return true
		case l.src[l.pos] == '<':
			if !l.tag() {
				return false
			}
		default:
			l.pos++
		}
	}
	return false
}
