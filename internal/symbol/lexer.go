package symbol

import "slices"

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

// A directive is a line of C's preprocessor.
type directive struct {
	text       string // its first word
	start, end int    // offsets of the whole
	name, body int    // of a #define: offsets of its name and of what follows
	token      int    // how many tokens stand before it
}

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

func (l *lexer) lastIs(texts ...string) bool {
	if len(l.tokens) == 0 {
		return false
	}
	t := l.tokens[len(l.tokens)-1]
	return t.kind == word && slices.Contains(texts, l.src[t.start:t.end])
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

func isOpener(ch byte) bool { return ch == '(' || ch == '[' || ch == '{' }

// opener returns the bracket a closing one closes, or 0.
func opener(ch byte) byte {
	switch ch {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	}
	return 0
}
