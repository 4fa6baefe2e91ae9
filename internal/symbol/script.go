package symbol

import "strings"

// readScript finds functions, classes and their methods, types, and variables:
// all of a module, and those with functions as values of what is inside.
func readScript(f *File, src []byte) {
	parseScript(f, src, dialect{slashes: true, script: true, typed: true})
}

// readScriptJSX is readScript where text may stand in elements.
func readScriptJSX(f *File, src []byte) {
	parseScript(
		f, src,
		dialect{slashes: true, script: true, jsx: true, typed: strings.HasSuffix(strings.ToLower(f.path), ".tsx")},
	)
}

func parseScript(f *File, src []byte, d dialect) {
	r := read(f, src, d)
	if r == nil {
		return
	}
	defer r.guard()
	r.binds = r.scriptBinds
	r.statements(0, len(r.tokens), nil, atTop)
	from := 0
	for _, body := range r.held {
		r.use(from, body[0])
		from = max(from, body[1])
	}
	r.use(from, len(r.tokens))
}

// where says what statements stand in.
type where uint8

const (
	atTop   where = iota // of a module or namespace: every variable counts
	inBlock              // of a function or block: variables that hold functions
	inValue              // inside an expression: no statements, but functions
)

// statements reads what stands between two tokens.
func (r *reader) statements(lo, hi int, scope []string, in where) {
	for i := lo; i < hi; {
		end := i
		if in != inValue && r.starts(i, lo) {
			end = r.statement(i, hi, scope, in)
		}
		if end == i {
			end = r.valuePart(i, hi, scope)
		}
		i = max(end, i+1)
	}
}

// starts says whether a statement begins at a token.
func (r *reader) starts(i, lo int) bool {
	if i == lo || r.ch(i-1) == ';' || r.ch(i-1) == '}' || r.ch(i-1) == '{' || r.is(i-1, "else") || r.is(i-1, "do") {
		return true
	}
	if r.ch(i-1) == ':' || r.ch(i-1) == ')' { // behind a label or case, and behind if ()
		return true
	}
	return !r.sameLine(i) && !r.continues(i-1, i)
}

// valuePart reads one token of other code, and what is inside it.
func (r *reader) valuePart(i, hi int, scope []string) int {
	switch {
	case r.is(i, "function") && !r.is(i-1, "."):
		return max(r.function(i, i, hi, scope, "", false), i)
	case r.isClass(i):
		return max(r.class(i, i, hi, scope, ""), i)
	case r.ch(i) == '{':
		r.braces(i, scope)
	case r.ch(i) == '(' || r.ch(i) == '[':
		r.statements(i+1, int(r.tokens[i].match), scope, inValue)
	}
	return r.over(i)
}

// braces reads a block or an object.
func (r *reader) braces(i int, scope []string) {
	end := int(r.tokens[i].match)
	switch prev := r.ch(i - 1); {
	case prev == ':' && r.isLabel(i-1):
		r.statements(i+1, end, scope, inBlock)
	case prev == '=' || prev == '(' || prev == ',' || prev == '[' || prev == ':' || prev == '?',
		r.isAny(i-1, "return", "default", "&&", "||", "??", "+=", "yield", "await", "..."):
		r.object(i+1, end, scope)
	default:
		r.statements(i+1, end, scope, inBlock)
	}
}

// isLabel says whether the colon at i ends a label or a case, and no half of a
// condition.
func (r *reader) isLabel(i int) bool {
	if r.is(i-1, "default") || r.isWord(i-1) && (r.ch(i-2) == ';' || r.ch(i-2) == '}' || r.ch(i-2) == '{') {
		return true
	}
	for j := i - 1; j >= 0 && r.tokens[j].up >= r.tokens[i].up; j-- {
		r.step()
		if r.tokens[j].up != r.tokens[i].up || opener(r.ch(j)) != 0 {
			continue
		}
		if r.is(j, "case") {
			return true
		}
		if r.ch(j) == ';' || r.ch(j) == ',' || r.ch(j) == '?' {
			return false
		}
	}
	return false
}

// statement reads one that defines something and gives the index behind it, or i.
func (r *reader) statement(first, hi int, scope []string, in where) int {
	i := r.decorators(first)
	anonymous := ""
	for r.isAny(
		i, "export", "default", "declare", "abstract",
	) && (r.sameLine(i+1) || r.is(i, "export") || r.is(i, "default") || r.is(i+1, "class")) {
		r.step()
		if r.is(i, "default") {
			if r.is(i+1, ":") {
				return first
			}
			anonymous = "default"
		}
		i = r.decorators(i + 1)
	}
	switch {
	case i >= hi:
		return first
	case r.is(i, "import") && r.ch(i+1) != '(' && !r.is(i+1, "."):
		return r.valueEnd(i, hi) + 1
	case i > first && (r.ch(i) == '{' || r.is(i, "*")) && r.is(i-1, "export"):
		return r.valueEnd(i, hi) + 1
	case r.is(i, "function") || r.is(i, "async") && r.is(i+1, "function") && r.sameLine(i+1):
		k := i
		if r.is(i, "async") {
			k++
		}
		return max(r.function(first, k, hi, scope, anonymous, true), first)
	case r.isClass(i):
		return max(r.class(first, i, hi, scope, anonymous), first)
	case r.isAny(i, "const", "let", "var") && !r.is(i+1, "enum"):
		return r.variables(first, i, hi, scope, in)
	case anonymous != "":
		return r.defaultValue(first, i, hi, scope)
	}
	if end := r.typeStatement(first, i, hi, scope); end > first {
		return end
	}
	if i == first {
		return r.assignment(first, hi, scope)
	}
	return first
}

// function reads a function whose keyword stands at k. One that is a value has a
// name only for itself, but it has it. It gives the index behind, or -1.
func (r *reader) function(first, k, hi int, scope []string, anonymous string, statement bool) int {
	at := k + 1
	if r.is(at, "*") {
		at++
	}
	path, named := scope, -1
	next := at
	if r.isWord(at) {
		next = at + 1
	}
	if r.isWord(at) && (statement || len(scope) == 0 || !r.is(at, scope[len(scope)-1])) { // not a.f = function f()
		path, named = inner(scope, r.text(at)), at
	} else if anonymous != "" {
		path = inner(scope, anonymous)
	}
	i := r.signature(next, hi)
	if i < 0 {
		return -1
	}
	if r.ch(i) == '{' && i < hi {
		end := r.over(i)
		if len(path) > len(scope) {
			r.define(path, named, first, end-1, false)
		}
		r.statements(next, i, path, inValue)
		r.statements(i+1, end-1, path, inBlock)
		return end
	}
	if !statement { // f = function() needs a body
		return -1
	}
	if r.ends(i, hi) {
		i++
	}
	if len(path) > len(scope) {
		r.define(path, named, first, i-1, false)
	}
	return i
}

// class reads a class whose keyword stands at k. It gives the index behind, or -1.
func (r *reader) class(first, k, hi int, scope []string, anonymous string) int {
	brace := r.classBody(k, hi)
	if brace < 0 {
		return -1
	}
	path, named := scope, -1
	if r.isWord(k+1) && !r.isAny(k+1, "extends", "implements") {
		path, named = inner(scope, r.text(k+1)), k+1
	} else if anonymous != "" {
		path = inner(scope, anonymous)
	}
	end := r.over(brace)
	if len(path) > len(scope) {
		r.define(path, named, first, end-1, false)
	}
	r.statements(k+2, brace, path, inValue)
	r.members(brace+1, end-1, path)
	return end
}

// defaultValue reads export default of what has no name.
func (r *reader) defaultValue(first, i, hi int, scope []string) int {
	if r.isAny(i, "interface", "enum") {
		return max(r.typeStatement(first, i, hi, scope), first)
	}
	last := r.valueEnd(i, hi)
	if last == i && r.isWord(i) { // export default foo
		return last + 1
	}
	path := inner(scope, "default")
	r.value(i, last+1, path)
	if r.ends(last+1, hi) {
		last++
	}
	r.define(path, -1, first, last, false)
	return last + 1
}

// value reads a value that has a name: what it holds has that name in its own.
func (r *reader) value(i, hi int, path []string) {
	switch {
	case r.ch(i) == '{':
		r.object(i+1, int(r.tokens[i].match), path)
		r.statements(r.over(i), hi, path, inValue)
	case r.isClass(i) && r.classBody(i, hi) > 0:
		r.members(r.classBody(i, hi)+1, r.over(r.classBody(i, hi))-1, path)
	default:
		r.statements(i, hi, path, inValue)
	}
}
