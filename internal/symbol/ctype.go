package symbol

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

// typedefNames keeps the names between two tokens: the last word before each
// comma or bracket, and inside of (*name).
func (r cReader) typedefNames(first, lo, last int, scope []string) {
	at := -1
	keep := func() {
		if at >= 0 && r.isWord(at) {
			r.define(inner(scope, r.text(at)), at, first, last, false)
		}
		at = -1
	}
	fixed := false
	for i := lo; i < last; {
		switch {
		case r.is(i, "<"):
			if past := r.angles(i, last); past > 0 {
				i = past
				continue
			}
		case r.is(i, ","):
			keep()
			fixed = false
		case r.isAny(i, "__attribute__", "__declspec", "alignas", "decltype", "typeof", "__typeof__") ||
			isLoud(r.text(i)) && r.ch(i+1) == '(' && i > lo:
			i++
		case r.ch(i) == '(' && !fixed && r.isPointer(i):
			at, fixed = r.pointed(i), true
		// typedef list(T) name
		case r.ch(i) == '(' && r.isWord(r.over(i)) && !isLoud(r.text(r.over(i))) && !r.isTail(r.over(i)):
		case isOpener(r.ch(i)):
			fixed = fixed || at >= 0
		case r.isWord(i) && !fixed:
			at = i
		}
		i = r.over(i)
	}
	keep()
}
