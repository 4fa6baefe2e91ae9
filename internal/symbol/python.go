package symbol

import "strings"

// readPython finds def, class and what modules and classes assign to.
func readPython(f *File, src []byte) {
	r := read(f, src, dialect{python: true, hash: true})
	if r == nil {
		return
	}
	defer r.guard()
	r.use(0, len(r.tokens))
	r.binds = r.pythonBinds
	p := pythonReader{reader: r, lines: r.logicalLines()}
	p.run()
}

// A logicalLine goes from token lo to before hi, over brackets and backslashes.
type logicalLine struct{ lo, hi, indent int }

func (r *reader) logicalLines() []logicalLine {
	var lines []logicalLine
	for i := 0; i < len(r.tokens); {
		l := logicalLine{lo: i, indent: r.indent(i)}
		for i = r.over(i); i < len(r.tokens) && (r.sameLine(i) || r.joinedLine(i)); {
			i = r.over(i)
		}
		l.hi = i
		lines = append(lines, l)
	}
	return lines
}

// joinedLine says whether every line end before a token is behind a backslash.
func (r *reader) joinedLine(i int) bool {
	gap := r.src[r.tokens[i-1].end:r.tokens[i].start]
	for {
		line, rest, more := strings.Cut(gap, "\n")
		if !more {
			return true
		}
		if line = strings.TrimSuffix(line, "\r"); !strings.HasSuffix(line, `\`) || strings.Contains(line, "#") {
			return false
		}
		gap = rest
	}
}

// indent returns the column of a token that is the first of its line.
func (r *reader) indent(i int) int {
	t := r.tokens[i]
	column := 0
	for _, c := range r.src[r.lines[t.line-1]:t.start] {
		switch c {
		case '\t':
			column += 8 - column%8
		case '\f':
			column = 0
		default:
			column++
		}
	}
	if t.line == 1 && strings.HasPrefix(r.src, byteOrderMark) {
		column-- // one character
	}
	return column
}

// A block is what is indented under a line.
type block struct {
	indent int
	def    int      // of its definition in file.defs, or -1
	path   []string // of what it defines
	inFunc bool
}

type pythonReader struct {
	*reader
	lines []logicalLine
	stack []block
}

func (p *pythonReader) run() {
	p.stack = []block{{def: -1}}
	decorated := -1 // the token where the decorators of what follows begin
	opens := false  // the line before ends with a colon
	for n, l := range p.lines {
		if !p.place(l, n, opens) {
			p.file.unread(int(p.tokens[l.lo].line), "indented as nothing before it")
			return
		}
		opens = p.is(l.hi-1, ":") && !p.is(l.lo, "@")
		if p.is(l.lo, "@") {
			if decorated < 0 {
				decorated = l.lo
			}
			continue
		}
		first := l.lo
		if decorated >= 0 {
			first = decorated
		}
		decorated = -1
		p.line(l, first, opens)
	}
	if opens {
		p.file.unread(len(p.reader.lexer.lines), "nothing follows a colon")
		return
	}
	if n := len(p.lines); n > 0 {
		p.close(1, p.lines[n-1].hi-1)
	}
}

// place finds the block a line stands in, and closes those that end before it.
func (p *pythonReader) place(l logicalLine, n int, opens bool) bool {
	top := &p.stack[len(p.stack)-1]
	if opens {
		if l.indent <= p.stack[len(p.stack)-2].indent {
			return false
		}
		top.indent = l.indent
		return len(p.stack) < maxDepth
	}
	depth := len(p.stack)
	for depth > 1 && p.stack[depth-1].indent > l.indent {
		depth--
	}
	if n > 0 {
		p.close(depth, p.lines[n-1].hi-1)
	}
	return p.stack[depth-1].indent == l.indent
}

// close ends the blocks above a depth at a token.
func (p *pythonReader) close(depth, last int) {
	for _, b := range p.stack[depth:] {
		if b.def >= 0 {
			p.file.defs[b.def].span.End = p.endLine(last)
		}
	}
	p.stack = p.stack[:depth]
}

// line reads a logical line that is no decorator.
func (p *pythonReader) line(l logicalLine, first int, opens bool) {
	scope := p.stack[len(p.stack)-1]
	next := block{def: -1, path: scope.path, inFunc: scope.inFunc}
	at := l.lo
	if p.is(at, "async") {
		at++
	}
	switch {
	case (p.is(at, "def") || p.is(at, "class")) && p.isWord(at+1):
		next.path = inner(scope.path, p.text(at+1))
		next.inFunc = scope.inFunc || p.is(at, "def")
		if p.is(at, "class") {
			next.inFunc = false
		}
		p.define(next.path, at+1, first, l.hi-1, false)
		next.def = len(p.file.defs) - 1
	case p.is(at, "type") && p.isWord(at+1) && p.sameLine(at+1) && !p.isAny(at+1, "in", "is", "and", "or", "if", "not"):
		p.define(inner(scope.path, p.text(at+1)), at+1, first, l.hi-1, false)
	case !scope.inFunc && p.isWord(at) && (p.is(at+1, "=") || p.is(at+1, ":") && at+2 < l.hi && !isPythonHead(p.text(at))):
		p.define(inner(scope.path, p.text(at)), at, first, l.hi-1, false)
	}
	if opens {
		p.stack = append(p.stack, next)
	}
}

func isPythonHead(text string) bool {
	return text == "else" || text == "try" || text == "finally" || text == "lambda"
}

// pythonBinds says whether a word stands where Python gives it a value: before
// = or a colon, among the targets of an assignment, or after "as". An import
// takes a name from elsewhere and does not define it here.
func (r *reader) pythonBinds(i int) bool {
	if r.isAny(i-1, "def", "class", "type", "global", "nonlocal") {
		return true
	}
	if r.ch(int(r.tokens[i].up)) != 0 {
		return r.is(i+1, ":=")
	}
	if r.isAny(i+1, "=", ":=") || r.is(i+1, ":") && (i == 0 || !r.sameLine(i)) {
		return true
	}
	if r.is(i-1, "as") || r.is(i-1, "for") {
		return true
	}
	if r.is(i-1, ".") { // self.x, y = …
		return false
	}
	const most = 100
	for j := i + 1; j < len(r.tokens) && (r.is(j, ",") || r.isWord(j) || r.is(j, ".") || r.is(j, "*")) &&
		r.sameLine(j); j++ {
		if r.is(j+1, "=") && r.sameLine(j+1) || j > i+most {
			return true
		}
	}
	return false
}
