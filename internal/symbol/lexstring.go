package symbol

import "strings"

// word reads a word, or the string that it is the prefix of.
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

// simple reads to the same mark. Unless lines may, it ends in its own line.
func (l *lexer) simple(c byte, lines bool) {
	start := l.pos
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '\\':
			if l.pos++; l.has("\r\n") {
				l.pos++
			}
		case '\n':
			if !lines {
				l.pos = start
				l.fail("a string does not end")
				return
			}
		case c:
			l.pos++
			l.emit(literal, start, 0)
			return
		}
	}
	l.pos = start
	l.fail("a string does not end")
}

// until reads on to a mark that a backslash hides; from skips the first one.
func (l *lexer) until(mark string, from int) {
	start := l.pos
	for l.pos += from; l.pos < len(l.src); l.pos++ {
		switch {
		case l.src[l.pos] == '\\':
			l.pos++
		case l.has(mark):
			l.pos += len(mark)
			l.emit(literal, start, 0)
			return
		}
	}
	l.pos = start
	l.fail("a string does not end")
}

// rustTick tells 'a' from the lifetime 'a.
func (l *lexer) rustTick() {
	start := l.pos
	if l.peek(1) == '\\' {
		l.simple('\'', false)
		return
	}
	size := 1 // of the character: a UTF-8 sequence counts as one
	for l.peek(1) >= 0x80 && l.peek(1+size)&0xC0 == 0x80 {
		size++
	}
	if l.peek(1+size) == '\'' {
		l.pos += size + 2
		l.emit(literal, start, 0)
		return
	}
	for l.pos++; isWordByte(l.peek(0)); {
		l.pos++
	}
	l.emit(literal, start, 0)
}

// rustRaw reads "…" or #"…"# behind its prefix, if that is what is here.
func (l *lexer) rustRaw(start int) bool {
	hashes := 0
	for l.peek(hashes) == '#' {
		hashes++
	}
	if l.peek(hashes) != '"' {
		return false
	}
	mark := `"` + strings.Repeat("#", hashes)
	end := strings.Index(l.src[l.pos+hashes+1:], mark)
	if end < 0 {
		l.fail("a raw string does not end")
		return true
	}
	l.pos += hashes + 1 + end + len(mark)
	l.emit(literal, start, 0)
	return true
}

// cRaw reads "x(…)x" behind its prefix.
func (l *lexer) cRaw(start int) {
	open := strings.IndexByte(l.src[l.pos:min(len(l.src), l.pos+20)], '(')
	if open < 0 {
		l.fail("a raw string does not begin")
		return
	}
	mark := ")" + l.src[l.pos+1:l.pos+open] + `"`
	end := strings.Index(l.src[l.pos+open:], mark)
	if end < 0 {
		l.fail("a raw string does not end")
		return
	}
	l.pos += open + end + len(mark)
	l.emit(literal, start, 0)
}

func isPythonPrefix(text string) bool {
	if len(text) > 2 {
		return false
	}
	for _, c := range text {
		switch c {
		case 'r', 'R', 'b', 'B', 'u', 'U', 'f', 'F', 't', 'T':
		default:
			return false
		}
	}
	return true
}

// pythonString reads a string that began at start, its prefix behind us.
func (l *lexer) pythonString(start int, format bool) {
	if l.depth++; l.depth > maxDepth {
		l.fail("strings nest too deep")
	}
	defer func() { l.depth-- }()
	mark := l.src[l.pos : l.pos+1]
	if l.has(mark + mark + mark) {
		mark += mark + mark
	}
	begin := l.pos
	for l.pos += len(mark); l.bad == "" && l.pos < len(l.src); {
		switch {
		case l.src[l.pos] == '\\':
			if l.pos++; l.has("\r\n") {
				l.pos++
			}
			l.pos++
		case l.has(mark):
			l.pos += len(mark)
			l.emit(literal, start, 0)
			return
		case l.src[l.pos] == '\n' && len(mark) == 1:
			l.pos = begin
			l.fail("a string does not end")
		case format && (l.has("{{") || l.has("}}")):
			l.pos += 2
		case format && l.src[l.pos] == '{':
			l.pos++
			l.pythonField(mark)
		default:
			l.pos++
		}
	}
	l.fail("a string does not end")
}

// pythonField reads the rest of a {field} of an f-string: code, which may hold
// strings of any marks, and after a colon text, which may hold fields.
func (l *lexer) pythonField(mark string) {
	if l.depth++; l.depth > maxDepth {
		l.fail("fields nest too deep")
	}
	defer func() { l.depth-- }()
	nest, text := 0, false
	for l.bad == "" && l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case text && l.has(mark):
			l.fail("a field does not end")
		case c == '}' && nest == 0:
			l.pos++
			return
		case text && c == '{':
			l.pos++
			l.pythonField(mark)
		case text:
			l.pos++
		case c == '#':
			l.skipLine()
		case c == '"' || c == '\'' || isWordByte(c):
			l.inField()
		default:
			switch c {
			case '(', '[', '{':
				nest++
			case ')', ']', '}':
				nest--
			case ':':
				text = nest == 0
			}
			l.pos++
		}
	}
	l.fail("a field does not end")
}

// inField reads a word or string and drops it: nothing is defined there.
func (l *lexer) inField() {
	kept := len(l.tokens)
	if c := l.src[l.pos]; c == '"' || c == '\'' {
		l.pythonString(l.pos, false)
	} else {
		l.word()
	}
	l.tokens = l.tokens[:kept]
}
