package symbol

// typeStatement reads interface, type, enum and namespace, whose words are names
// elsewhere. It gives the index behind, or first.
func (r *reader) typeStatement(first, i, hi int, scope []string) int {
	if r.is(i, "const") && r.is(i+1, "enum") {
		i++
	}
	at := i + 1
	if at >= hi || !r.sameLine(at) {
		return first
	}
	path := inner(scope, r.text(at))
	switch {
	case r.isAny(i, "interface", "enum") && r.isWord(at):
		brace := r.classBody(i, hi)
		if brace < 0 || r.is(at+1, "=") || r.is(at+1, ":") {
			return first
		}
		end := r.over(brace)
		r.define(path, at, first, end-1, false)
		r.held = append(r.held, [2]int{brace, end})
		return end
	case r.is(i, "type") && r.isWord(at) && r.isAny(at+1, "=", "<"):
		return r.alias(first, at, hi, path)
	case r.isAny(i, "namespace", "module", "global"):
		if r.is(i, "global") {
			at = i
		}
		brace := at
		path = scope
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
	return first
}

// alias reads type Name = …. Where the type ends in no way we know, the name is
// there and its span is not certain.
func (r *reader) alias(first, at, hi int, path []string) int {
	i := at + 1
	if r.is(i, "<") {
		if i = r.angles(i, hi); i < 0 {
			return first
		}
	}
	if !r.is(i, "=") || i >= hi {
		return first
	}
	end := r.typeEnd(i+1, hi)
	shaky := false
	if r.ends(end, hi) {
		end++
	} else if end < hi && r.sameLine(end) {
		shaky = true
	}
	r.define(path, at, first, end-1, false)
	if n := len(r.file.defs); shaky && n > 0 {
		r.file.defs[n-1].shaky = true
	}
	return end
}

// scriptBinds says whether a word stands where it may be defined: before = or a
// colon in an object, class or block, in a pattern of const, behind "as".
func (r *reader) scriptBinds(i int) bool {
	if r.isAny(
		i-1, "function", "class", "interface", "enum", "type", "namespace", "module", "as", "const", "let",
		"var", "private", "public", "protected", "readonly",
	) {
		return true
	}
	if r.ch(i+1) == '(' && r.ch(r.past(i+1)) == '{' && !r.isAny(i, "if", "for", "while", "switch", "catch", "with") {
		return true
	}
	up := int(r.tokens[i].up)
	if r.ch(up) == '(' {
		return false
	}
	if r.ch(up) == '{' || r.ch(up) == '[' { // const { name } = …
		for outer := up; outer >= 0; outer = int(r.tokens[outer].up) {
			if r.isAny(outer-1, "const", "let", "var") {
				return true
			}
			if r.ch(outer) == '(' {
				break
			}
		}
	}
	if r.is(i+1, ":") || r.is(i+1, "?") && r.is(i+2, ":") || r.is(i+1, "!") && r.is(i+2, ":") {
		return !r.isAny(i-1, "case", "?")
	}
	return r.is(i+1, "=")
}
