package symbol

import (
	"slices"
	"strings"
)

// role says what a word may be that no definition is named by.
type role uint8

const (
	unclear role = iota // it stands where definitions stand, and was not understood
	used                // it stands in code that uses it, unless its neighbours say otherwise
	named               // it is the name of a definition
)

// reader walks over the tokens of a file and keeps the definitions.
type reader struct {
	*lexer
	file  *File
	roles []role
	lost  []tok    // of C: what stands in branches of #if that were left out
	odd   [][2]int // of C: lines where branches of #if open different brackets
	held  [][2]int // of scripts: tokens of the bodies of types, which hold names
	binds func(i int) bool
	steps int // how many may still be made
}

// read takes a file apart and matches its brackets. It gives nil, and tells f,
// if that cannot be done.
func read(f *File, src []byte, d dialect) *reader {
	r := &reader{lexer: newLexer(string(src), d), file: f}
	r.all()
	if r.bad == "" && r.c {
		r.conditions()
	}
	if r.bad == "" {
		r.pair()
	}
	if r.bad != "" {
		f.unread(r.lineAt(min(r.pos, len(src))), r.bad)
		return nil
	}
	r.roles = make([]role, len(r.tokens))
	r.steps = stepsEach*len(r.tokens) + 1000
	f.hidden, f.mentions = r.hidden, r.mentions
	return r
}

// A file is looked over several times, but not for ever: source takes some 10
// steps a token, and one made to be slow is given up. No source nests names
// deeper or defines more.
const (
	stepsEach = 40
	maxPath   = 32
	maxDefs   = 100_000
)

type tangled struct{}

// guard, deferred, gives up a file that takes too many steps.
func (r *reader) guard() {
	switch reason := recover().(type) {
	case nil:
	case tangled:
		r.file.unread(1, "it is too tangled")
	default:
		panic(reason)
	}
}

// pair matches brackets. One bracket too many or too few and no span is certain.
func (r *reader) pair() {
	var stack []int32
	for i := range r.tokens {
		t := &r.tokens[i]
		if want := opener(t.ch); want != 0 {
			if len(stack) == 0 || r.tokens[stack[len(stack)-1]].ch != want {
				r.pos = int(t.start)
				r.fail("a bracket closes that was not open")
				return
			}
			t.match = stack[len(stack)-1]
			r.tokens[t.match].match = int32(i)
			stack = stack[:len(stack)-1]
		}
		t.up = -1
		if len(stack) > 0 {
			t.up = stack[len(stack)-1]
		}
		if isOpener(t.ch) {
			if stack = append(stack, int32(i)); len(stack) > maxNest {
				r.pos = int(t.start)
				r.fail("brackets nest too deep")
				return
			}
		}
	}
	if len(stack) > 0 {
		r.pos = int(r.tokens[stack[len(stack)-1]].start)
		r.fail("a bracket does not close")
	}
}

// The following take any index; outside the file there is nothing.

func (r *reader) ch(i int) byte {
	if i < 0 || i >= len(r.tokens) {
		return 0
	}
	return r.tokens[i].ch
}

// text returns a word or an operator, and "" for all else.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	t := r.tokens[i]
	if t.kind == literal || t.kind == number || isOpener(t.ch) || opener(t.ch) != 0 {
		return ""
	}
	return r.src[t.start:t.end]
}

// is reports whether a token is a text. The 288 places that ask share one copy of it.
//
//go:noinline
func (r *reader) is(i int, text string) bool {
	if i < 0 || i >= len(r.tokens) {
		return false
	}
	t := r.tokens[i]
	return int(t.end-t.start) == len(text) && t.kind != literal && r.src[t.start:t.end] == text
}

func (r *reader) isAny(i int, texts ...string) bool {
	return slices.Contains(texts, r.text(i)) && i >= 0
}

func (r *reader) isWord(i int) bool { return i >= 0 && i < len(r.tokens) && r.tokens[i].kind == word }

func (r *reader) isLiteral(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].kind == literal
}

// past returns the index behind a token, and behind the partner of a bracket.
func (r *reader) past(i int) int {
	if isOpener(r.ch(i)) {
		return int(r.tokens[i].match) + 1
	}
	return i + 1
}

// over is past, counted as a step. Questions after reading must not count.
func (r *reader) over(i int) int {
	r.step()
	return r.past(i)
}

func (r *reader) step() {
	if r.steps--; r.steps < 0 {
		panic(tangled{})
	}
}

// sameLine says whether a token begins in the line where the one before ends.
func (r *reader) sameLine(i int) bool {
	return i > 0 && i < len(r.tokens) && r.endLine(i-1) == int(r.tokens[i].line)
}

func (r *reader) endLine(i int) int {
	t := r.tokens[i]
	if t.kind == literal {
		return r.lineAt(int(t.end) - 1)
	}
	return int(t.line)
}

// maxAngles is how far the partner of a < is looked for.
const maxAngles = 2000

// angles returns the index behind the > that closes the < at i, or -1 if it is
// not a bracket.
func (r *reader) angles(i, limit int) int {
	nest := 0
	for from := i; i < limit && i < from+maxAngles; {
		switch {
		case r.is(i, "<"):
			nest++
		case r.is(i, ">") || r.is(i, ">="):
			if nest--; nest == 0 {
				return i + 1
			}
		case r.is(i, ";") || opener(r.ch(i)) != 0 || r.is(i, "&&") && !r.rust && !r.c || r.is(i, "||"):
			return -1
		}
		i = r.over(i)
	}
	return -1
}

// use marks tokens from lo to before hi as understood.
func (r *reader) use(lo, hi int) {
	for i := max(lo, 0); i < hi && i < len(r.roles); i++ {
		if r.roles[i] == unclear {
			r.roles[i] = used
		}
	}
}

// unuse takes that back, for a type in the body of a function.
func (r *reader) unuse(lo, hi int) {
	for i := lo; i < hi && i < len(r.roles); i++ {
		if r.roles[i] == used {
			r.roles[i] = unclear
		}
	}
}

// define keeps a definition whose name stands at token at, or nowhere if that
// is -1, from token first to last.
func (r *reader) define(path []string, at, first, last int, minor bool) {
	if first < 0 || last < first || last >= len(r.tokens) || !isName(path[len(path)-1]) {
		return
	}
	if len(path) > maxPath || len(r.file.defs) >= maxDefs || len(r.odd) > maxPath {
		panic(tangled{})
	}
	if at >= 0 {
		r.roles[at] = named
	}
	d := def{path: path, minor: minor, span: Span{int(r.tokens[first].line), r.endLine(last)}}
	d.shaky = r.tokens[first].branch != r.tokens[last].branch
	for _, lines := range r.odd {
		d.shaky = d.shaky || d.span.Start <= lines[1] && lines[0] <= d.span.End
	}
	r.file.defs = append(r.file.defs, d)
}

// inner returns the path of a name inside a scope.
func inner(scope []string, names ...string) []string {
	path := make([]string, 0, len(scope)+len(names))
	path = append(path, scope...)
	for _, n := range names {
		if n != "" {
			path = append(path, n)
		}
	}
	if len(names) > 0 && names[len(names)-1] == "" {
		path = append(path, "")
	}
	return path
}

// hidden finds the line where a word stands that may be defined there.
func (r *reader) hidden(text string) int {
	if r.c && strings.HasPrefix(text, operator) && text != operator && !isWordByte(text[len(operator)]) {
		text = operator // what follows it are other tokens
	}
	for i := range r.tokens {
		t := &r.tokens[i]
		if r.c && t.kind == word && text == operator && r.roles[i] != named && r.is(i, text) {
			return int(t.line)
		}
		if t.kind != word || int(t.end-t.start) != len(text) || r.roles[i] == named || r.src[t.start:t.end] != text {
			continue
		}
		if r.roles[i] == unclear || r.binds != nil && r.binds(i) {
			return int(t.line)
		}
	}
	for _, t := range r.lost {
		if r.src[t.start:t.end] == text {
			return r.lineAt(int(t.start))
		}
	}
	return r.inMacros(text)
}

func (r *reader) mentions(text string) bool {
	for i := range r.tokens {
		if r.is(i, text) {
			return true
		}
	}
	return false
}

// semicolon returns the index behind the next one that stands in no bracket.
func (r *reader) semicolon(i, hi int) int {
	for ; i < hi; i = r.over(i) {
		if r.is(i, ";") {
			return i + 1
		}
	}
	return -1
}
