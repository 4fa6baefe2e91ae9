package symbol

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
	if end := r.namespace(first, i, hi, scope); end > first {
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

// variables reads const, let or var at k. Names taken out of objects and lists
// are not symbols.
func (r *reader) variables(first, k, hi int, scope []string, in where) int {
	type variable struct{ at, value, last int }
	var found []variable
	i, last := k+1, k
	for i < hi {
		v := variable{at: i, value: -1}
		last = r.over(i) - 1
		if i = r.over(i); r.is(i, "!") {
			last, i = i, i+1
		}
		if r.is(i, ":") {
			i = r.typeEnd(i+1, hi)
			last = i - 1
		}
		if r.is(i, "=") && i < hi {
			v.value = i + 1
			last = r.valueEnd(i+1, hi)
			i = last + 1
		}
		v.last = last
		found = append(found, v)
		if !r.is(i, ",") || i >= hi {
			break
		}
		i++
	}
	if last >= hi {
		return hi
	}
	if len(found) == 1 && r.ends(last+1, hi) {
		found[0].last = last + 1
	}
	for _, v := range found {
		path := inner(scope, r.text(v.at))
		begin := v.at
		if len(found) == 1 {
			begin = first
		}
		counts := r.isWord(v.at) && (in == atTop || v.value >= 0 && r.holdsFunction(v.value, hi))
		if counts {
			r.define(path, v.at, begin, min(v.last, hi-1), false)
		} else {
			path = scope
		}
		if v.value >= 0 {
			r.value(v.value, min(v.last+1, hi), path)
		}
	}
	return last + 1
}

// assignment reads a.b = function: a method of a, or of the module.
func (r *reader) assignment(first, hi int, scope []string) int {
	var names []string
	i, at := first, first
	for r.isWord(i) {
		if text := r.text(i); text != "prototype" && text != "exports" && text != "this" && (text != "module" ||
			!r.is(i+2, "exports")) {
			names = append(names, text)
		}
		at = i
		if i++; !r.is(i, ".") {
			break
		}
		i++
	}
	if !r.is(i, "=") || i >= hi {
		return first
	}
	last := r.valueEnd(i+1, hi)
	path := inner(scope, names...)
	if len(names) > 0 && r.holdsFunction(i+1, hi) {
		end := last
		if r.ends(last+1, hi) {
			end++
		}
		r.define(path, at, first, end, false)
	}
	r.value(i+1, last+1, path)
	return last + 1
}

// namespace reads namespace, module and global, whose words are names elsewhere. It
// gives the index behind, or first.
func (r *reader) namespace(first, i, hi int, scope []string) int {
	at := i + 1
	if !r.isAny(i, "namespace", "module", "global") || at >= hi || !r.sameLine(at) {
		return first
	}
	if r.is(i, "global") {
		at = i
	}
	brace, path := at, scope
	for r.isWord(brace) || r.isLiteral(brace) || r.is(brace, ".") {
		if r.isWord(brace) && !r.is(brace, "global") {
			path = inner(path, r.text(brace))
		}
		brace++
	}
	if r.ch(brace) != '{' || brace >= hi {
		return first
	}
	if len(path) > len(scope) {
		r.define(path, brace-1, first, r.over(brace)-1, false)
	}
	r.statements(brace+1, int(r.tokens[brace].match), path, atTop)
	return r.over(brace)
}
