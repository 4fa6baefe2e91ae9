package symbol

import "strings"

// A directive is a line of C's preprocessor.
type directive struct {
	text       string // its first word
	start, end int    // offsets of the whole
	name, body int    // of a #define: offsets of its name and of what follows
	token      int    // how many tokens stand before it
}

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

// conditions finds the branches of #if. Where each is whole, all are kept: what
// two of them define is ambiguous. Where brackets open in one branch and close
// outside, only the first branch is kept, and what has an end in one is shaky.
func (r *reader) conditions() {
	dropped := make([]bool, len(r.tokens))
	var stack []group
	current, branches, at := int32(0), int32(0), 0
	for _, d := range r.direct {
		for ; at < d.token; at++ {
			r.tokens[at].branch = current
		}
		r.pos = d.start
		switch d.text {
		case "if", "ifdef", "ifndef":
			if len(stack) >= maxDepth {
				r.fail("#if nests too deep")
				return
			}
			stack = append(stack, group{branches: [][2]int{{at, at}}, parent: current, line: r.lineAt(d.start)})
			branches++
			current = branches
		case "else", "elif", "elifdef", "elifndef", "endif":
			if len(stack) == 0 {
				r.fail("#" + d.text + " without #if")
				return
			}
			g := &stack[len(stack)-1]
			g.branches[len(g.branches)-1][1] = at
			if d.text == "endif" {
				r.settle(*g, r.lineAt(d.start), dropped)
				current = g.parent
				stack = stack[:len(stack)-1]
				continue
			}
			g.hasElse = g.hasElse || d.text == "else"
			g.branches = append(g.branches, [2]int{at, at})
			branches++
			current = branches
		}
	}
	if len(stack) > 0 {
		r.fail("#if does not end")
		return
	}
	for ; at < len(r.tokens); at++ {
		r.tokens[at].branch = current
	}
	kept := r.tokens[:0]
	for i, t := range r.tokens {
		switch {
		case !dropped[i]:
			kept = append(kept, t)
		case t.kind == word:
			r.lost = append(r.lost, t)
		}
	}
	r.tokens = kept
}

// settle decides which branches of a group are kept.
func (r *reader) settle(g group, end int, dropped []bool) {
	var rest []string
	whole, same := true, true
	for _, b := range g.branches {
		rest = append(rest, r.rest(b, dropped))
		whole = whole && rest[len(rest)-1] == ""
		same = same && rest[len(rest)-1] == rest[0]
	}
	if whole {
		return
	}
	if !same || !g.hasElse {
		r.odd = append(r.odd, [2]int{g.line, end})
	}
	for _, b := range g.branches[1:] {
		for i := b[0]; i < b[1]; i++ {
			dropped[i] = true
		}
	}
}

// rest returns the brackets of a range that have no partner in it.
func (r *reader) rest(b [2]int, dropped []bool) string {
	var closed, opened []byte
	for i := b[0]; i < b[1]; i++ {
		ch := r.tokens[i].ch
		switch want := opener(ch); {
		case dropped[i]:
		case isOpener(ch):
			opened = append(opened, ch)
		case want == 0:
		case len(opened) > 0 && opened[len(opened)-1] == want:
			opened = opened[:len(opened)-1]
		default:
			closed = append(closed, ch)
		}
	}
	return string(closed) + string(opened)
}

// macros keeps each #define as a symbol.
func (r *reader) macros() {
	for _, d := range r.direct {
		if d.text != "define" || d.body == d.name {
			continue
		}
		end := d.end
		for end > d.start && (r.src[end-1] == '\r' || r.src[end-1] == '\n') {
			end--
		}
		r.file.defs = append(r.file.defs, def{
			path: []string{r.src[d.name:d.body]},
			span: Span{r.lineAt(d.start), r.lineAt(end - 1)},
		})
	}
}

// inMacros finds a word in the text of macros, which may define anything.
func (r *reader) inMacros(text string) int {
	for _, d := range r.direct {
		if d.text != "define" {
			continue
		}
		body := r.src[d.body:d.end]
		for from := 0; ; {
			at := strings.Index(body[from:], text)
			if at < 0 || text == "" {
				break
			}
			at += from
			from = at + len(text)
			if (at == 0 || !isWordByte(body[at-1])) && (from == len(body) || !isWordByte(body[from])) {
				return r.lineAt(d.body + at)
			}
		}
	}
	return 0
}
