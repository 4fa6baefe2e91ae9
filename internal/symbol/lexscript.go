package symbol

// regexMayStart says whether a value may begin here, so that / begins a regular
// expression and < an element, by what stands before.
func (l *lexer) regexMayStart() bool {
	if len(l.tokens) == 0 {
		return true
	}
	t := l.tokens[len(l.tokens)-1]
	switch {
	case t.kind == number || t.kind == literal:
		return false
	case t.kind == word:
		if len(l.tokens) > 1 && l.tokens[len(l.tokens)-2].ch == '.' {
			return false // a.return
		}
		return l.lastIs("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
			"await", "yield", "instanceof", "default")
	case t.ch == ')':
		return l.isCond && int(t.end-t.start) == 1 && l.src[t.start] == ')'
	case t.ch == ']':
		return false
	case t.ch == '}': // a block's end, if a line ends there
		for i := int(t.end); i < l.pos; i++ {
			if l.src[i] == '\n' {
				return true
			}
		}
		return false
	}
	text := l.src[t.start:t.end]
	return text != "++" && text != "--"
}

// maxRegex is the longest regular expression that is read.
const maxRegex = 10_000

// regex reads a regular expression, if one ends in this line.
func (l *lexer) regex() bool {
	class := false
	for i := l.pos + 1; i < len(l.src); i++ {
		if i > l.pos+maxRegex {
			return l.fail("a regular expression is too long")
		}
		switch c := l.src[i]; {
		case c == '\n':
			return false
		case c == '\\':
			i++
			if i < len(l.src) && l.src[i] == '\n' {
				return false
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			start := l.pos
			for l.pos = i + 1; isWordByte(l.peek(0)); {
				l.pos++
			}
			l.emit(literal, start, 0)
			return true
		}
	}
	return false
}

// open emits the bracket that stands for the beginning of a template or element.
func (l *lexer) open() {
	l.pos++
	l.emit(punct, l.pos-1, '(')
}

// shut emits its partner, for the last character read.
func (l *lexer) shut() { l.emit(punct, l.pos-1, ')') }

// genericArrow tells <T,>(x) => and <T extends U>(x) => from an element.
func (l *lexer) genericArrow() bool {
	i := l.pos + 1
	if name := l.src[i:min(len(l.src), i+6)]; name == "const " {
		i += 6
	}
	for i < len(l.src) && isWordByte(l.src[i]) {
		i++
	}
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\n' || l.src[i] == '\r' || l.src[i] == '\t') {
		i++
	}
	rest := l.src[i:min(len(l.src), i+8)]
	return len(rest) > 0 && rest[0] == ',' || rest == "extends "
}

func (l *lexer) tagName() string {
	start := l.pos
	for c := l.peek(0); isWordByte(c) || c == '.' || c == '-' || c == ':'; c = l.peek(0) {
		l.pos++
	}
	return l.src[start:l.pos]
}

func (l *lexer) tagTypes() bool {
	for nest := 0; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '<':
			nest++
		case '>':
			if nest--; nest == 0 {
				l.pos++
				return true
			}
		case ';', '(':
			return false
		}
	}
	return false
}

func (l *lexer) spaces() {
	for c := l.peek(0); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = l.peek(0) {
		l.pos++
	}
}
