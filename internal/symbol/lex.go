package symbol

import (
	"slices"
	"strings"
)

type kind uint8

const (
	word    kind = iota // identifier, keyword
	number              //
	literal             // string, character, regular expression, text of JSX
	punct               // an operator; brackets have themselves in ch
)

// A tok is what the finders read. Templates and JSX come as a pair of round
// brackets that span them, with the code inside between the two.
type tok struct {
	kind       kind
	ch         byte  // the character of a punct of one character, or 0
	start, end int32 // offsets
	line       int32 // of its start
	match      int32 // of a bracket: the index of the other one
	up         int32 // the index of the bracket it stands in, or -1
	branch     int32 // of C: the branch of #if it stands in
}

// dialect says how a language writes what is not code.
type dialect struct {
	slashes    bool // comments // and /* */
	nested     bool // /* /* */ */
	hash       bool // comments #
	python     bool // triple quotes, prefixes, f""
	rust       bool // r#""#, lifetimes
	java       bool // """ text """
	c          bool // preprocessor, R"()", 1'000
	script     bool // regular expressions, `${}`
	jsx, typed bool // of scripts: <a>text</a>; TypeScript
}

const byteOrderMark = "\ufeff"

// lexer takes a file apart. It stops at the first thing that cannot be.
type lexer struct {
	dialect
	src    string
	pos    int
	tokens []tok
	bad    string // what is wrong at pos
	depth  int    // how deep templates and JSX nest
	failed int    // how many < were tried as JSX and were none
	conds  []bool // of scripts: for each ( open, does it follow if, while, for?
	isCond bool   // the last ) closed such a one
	lines  []int32
	direct []directive // of C
}

// Deeper nesting and more failures than these are not looked into.
const (
	maxDepth  = 100
	maxNest   = 1000
	maxFailed = 20
)

func newLexer(src string, d dialect) *lexer {
	l := &lexer{dialect: d, src: src}
	l.tokens = make([]tok, 0, len(src)/5+16)
	l.lines = make([]int32, 1, len(src)/32+16)
	for i := range len(src) {
		if src[i] == '\n' {
			l.lines = append(l.lines, int32(i+1))
		}
	}
	return l
}

// lineAt returns the number of the line an offset is in.
func (l *lexer) lineAt(offset int) int {
	at, found := slices.BinarySearch(l.lines, int32(offset))
	if found {
		at++
	}
	return at
}

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

func (l *lexer) has(text string) bool {
	return l.pos+len(text) <= len(l.src) && l.src[l.pos:l.pos+len(text)] == text
}

func (l *lexer) peek(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

func (l *lexer) skipLine() {
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		l.pos++
	}
}

func (l *lexer) fail(what string) bool {
	if l.bad == "" {
		l.bad = what
	}
	return false
}

func (l *lexer) emit(k kind, start int, ch byte) {
	l.tokens = append(l.tokens, tok{kind: k, ch: ch, start: int32(start), end: int32(l.pos), match: -1, up: -1})
}

// comment skips a comment if one starts here.
func (l *lexer) comment() bool {
	switch {
	case l.hash && l.peek(0) == '#':
		l.skipLine()
	case !l.slashes || l.peek(0) != '/':
		return false
	case l.peek(1) == '/':
		for l.skipLine(); l.c && l.continued(); l.skipLine() {
			l.pos++
		}
	case l.peek(1) == '*':
		l.blockComment()
	default:
		return false
	}
	return true
}

// continued says whether the line that ends here goes on, by C's backslash.
func (l *lexer) continued() bool {
	at := l.pos - 1
	if at >= 0 && l.src[at] == '\r' {
		at--
	}
	return l.pos < len(l.src) && at >= 0 && l.src[at] == '\\'
}

func (l *lexer) blockComment() {
	start, level := l.pos, 1
	for l.pos += 2; l.pos < len(l.src); {
		switch {
		case l.has("*/"):
			l.pos += 2
			if level--; level == 0 {
				return
			}
		case l.nested && l.has("/*"):
			l.pos += 2
			level++
		default:
			l.pos++
		}
	}
	l.pos = start
	l.fail("a comment does not end")
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

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

func (l *lexer) lastIs(texts ...string) bool {
	if len(l.tokens) == 0 {
		return false
	}
	t := l.tokens[len(l.tokens)-1]
	return t.kind == word && slices.Contains(texts, l.src[t.start:t.end])
}
