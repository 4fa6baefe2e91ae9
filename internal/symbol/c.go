package symbol

// readC finds functions, types, variables of the file and macros.
func readC(f *File, src []byte) { parseC(f, src, true) }

// readCPP does so for C++, and what classes and namespaces hold.
func readCPP(f *File, src []byte) { parseC(f, src, false) }

func parseC(f *File, src []byte, plain bool) {
	r := read(f, src, dialect{slashes: true, c: true})
	if r == nil {
		return
	}
	defer r.guard()
	for i := range r.tokens {
		if r.is(i, "@") && r.isAny(i+1, "interface", "implementation", "protocol", "class", "import") {
			f.unread(int(r.tokens[i].line), "it is Objective-C")
			return
		}
	}
	r.binds = func(i int) bool {
		if r.isAny(i-1, "struct", "class", "union", "enum") {
			return r.ch(i+1) == '{' || r.isAny(i+1, ":", "final")
		}
		if r.isAny(i-1, "namespace", "using", "concept") {
			return true
		}
		return r.ch(i+1) == '(' && !r.isAny(i-1, ".", "->", "::") && r.ch(r.past(i+1)) == '{'
	}
	c := cReader{reader: r, plain: plain}
	c.declarations(0, len(r.tokens), nil, false)
	r.macros()
}

// declarations reads what a file, namespace or class holds.
func (r cReader) declarations(lo, hi int, scope []string, class bool) {
	for i := lo; i < hi; {
		switch {
		case r.is(i, ";"):
			i++
		case class && r.isAny(i, "public", "private", "protected", "signals", "Q_SIGNALS") && (r.is(i+1, ":") ||
			r.is(i+2, ":")):
			for !r.is(i, ":") {
				i++
			}
			i++
		case r.aloneMacro(i):
			i = r.macroEnd(i)
		default:
			i = max(r.declaration(i, hi, scope, class), i+1)
		}
	}
}

// declaration reads one and gives the index behind it.
func (r cReader) declaration(first, hi int, scope []string, class bool) int {
	i := first
	for {
		switch {
		case r.is(i, "template") && r.is(i+1, "<"):
			past := r.angles(i+1, hi)
			if past < 0 {
				return r.skip(first, hi)
			}
			if i = past; r.is(i, "requires") {
				i = r.requires(i, hi)
			}
			continue
		case r.is(i, "[") && r.is(i+1, "["): // [[attributes]]
			i = r.over(i)
			continue
		case r.is(i, "inline") && r.is(i+1, "namespace"), r.is(i, "export"), r.is(i, "__extension__"),
			isLoud(r.text(i)) && r.isAny(
				i+1, "template", "class", "struct", "enum", "union", "namespace", "inline", "typedef", "using",
			):
			i++
			continue
		case r.is(i, "extern") && r.isLiteral(i+1):
			if r.ch(i+2) == '{' {
				r.declarations(i+3, int(r.tokens[i+2].match), scope, class)
				return r.over(i + 2)
			}
			i += 2
			continue
		}
		break
	}
	switch {
	case i >= hi:
		return hi
	case r.is(i, "namespace"):
		return r.namespace(first, i, hi, scope)
	case r.is(i, "typedef"):
		return r.typedef(first, i, hi, scope)
	case r.isAny(i, "using", "concept"):
		end := r.semicolon(i, hi)
		if end < 0 {
			return hi
		}
		if r.isWord(i+1) && r.is(i+2, "=") {
			r.define(inner(scope, r.text(i+1)), i+1, first, end-1, false)
		}
		r.use(first, end)
		return end
	}
	if end := r.aggregate(first, i, hi, scope, false); end > first {
		return end
	}
	return r.declarator(first, i, hi, scope, class)
}

func (r cReader) namespace(first, i, hi int, scope []string) int {
	path, k := scope, i+1
	if r.is(i-1, "inline") {
		k++
	}
	for ; k < hi && r.ch(k) != '{' && !r.is(k, ";") && !r.is(k, "=") && len(path) <= maxPath; k = r.over(k) {
		if r.isWord(k) && !r.is(k, "inline") && !r.is(k-1, "inline") && !isLoud(r.text(k)) { // inline ones are not named
			path = inner(path, r.text(k))
		}
	}
	if r.ch(k) != '{' || k >= hi { // namespace a = b;
		return r.skip(k, hi)
	}
	end := r.over(k)
	if len(path) > len(scope) {
		r.define(path, -1, first, end-1, true)
	}
	r.use(first, k)
	r.declarations(k+1, end-1, path, false)
	return end
}

// typedef reads typedef … name;
func (r cReader) typedef(first, i, hi int, scope []string) int {
	if end := r.aggregate(first, i+1, hi, scope, true); end > first {
		return end
	}
	end := r.semicolon(i, hi)
	if end < 0 {
		return hi
	}
	r.typedefNames(first, i+1, end-1, scope)
	r.use(first, end)
	return end
}

// aggregate reads struct, class, union or enum at k, if its body is here or it is
// only declared. It gives the index behind it, or first. In a typedef what stands
// behind the body are names of types.
func (r cReader) aggregate(first, k, hi int, scope []string, typedef bool) int {
	for r.isAny(k, "static", "const", "extern", "volatile", "friend", "constexpr") {
		k++
	}
	if !r.isAny(k, "struct", "class", "union", "enum") {
		return first
	}
	isEnum, i := r.is(k, "enum"), k+1
	if isEnum && r.isAny(i, "class", "struct") {
		i++
	}
	at := -1
	path := scope
	for i < hi {
		switch {
		case r.is(i, "final"):
		case r.isAny(i, "alignas", "__attribute__", "__declspec") || r.isWord(i) && r.ch(i+1) == '(' && isLoud(r.text(i)):
			i++ // and its brackets
		case r.isWord(i):
			if at >= 0 && r.is(i-1, "::") {
				path = inner(path, r.text(at))
			} else if at >= 0 && !isLoud(r.text(at)) {
				return first // struct A f(…)
			}
			at = i
		case r.is(i, "::") || r.ch(i) == '[':
		case r.is(i, "<"):
			past := r.angles(i, hi)
			if past < 0 {
				return first
			}
			i = past
			continue
		default:
			return r.aggregateBody(first, i, at, hi, path, scope, isEnum, typedef)
		}
		i = r.over(i)
	}
	return first
}

func (r cReader) aggregateBody(first, i, at, hi int, path, scope []string, isEnum, typedef bool) int {
	full := path
	if at >= 0 {
		full = inner(path, r.text(at))
	}
	if r.is(i, ";") && at >= 0 && !typedef { // class A;
		if !r.is(first, "friend") {
			r.define(full, at, first, i, true)
		}
		r.use(first, i)
		return i + 1
	}
	brace := i
	if r.is(i, ":") { // bases, or the type of an enum
		for brace < hi && r.ch(brace) != '{' && !r.is(brace, ";") {
			brace = r.over(brace)
		}
	}
	if brace >= hi || r.ch(brace) != '{' {
		return first
	}
	last := r.over(brace)
	for last < hi && !r.is(last, ";") {
		if r.ch(last) == '{' && !r.is(last-1, "=") || r.ch(last) == '(' && !typedef &&
			!r.isAny(last-1, "__attribute__") && !isLoud(r.text(last-1)) {
			return first // struct A { … } f() { … }
		}
		last = r.over(last)
	}
	if last >= hi {
		return first
	}
	if at >= 0 {
		r.define(full, at, first, last, false)
	}
	r.use(first, brace)
	if !isEnum {
		r.declarations(brace+1, r.over(brace)-1, full, true)
	}
	if typedef {
		r.typedefNames(first, r.over(brace), last, scope)
	}
	return last + 1
}
