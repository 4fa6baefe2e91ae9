package symbol

// declarator reads a function or variable and gives the index behind it.
func (r cReader) declarator(first, from, hi int, scope []string, class bool) int {
	minor, typed, pointer := r.isAny(from, "extern", "friend"), false, -1
	for i := from; i < hi; {
		switch {
		case r.is(i, "<") && r.isWord(i-1):
			if past := r.angles(i, hi); past > 0 {
				i = past
				continue
			}
		case r.isAny(i, "struct", "class", "union", "enum", "template", "namespace"):
			typed = true
		case r.is(i, "operator"):
			return r.function(first, from, i, hi, scope, class, minor)
		case r.ch(i) == '(' && i > from && pointer < 0 && r.isAny(i+1, "*", "^") && r.isPointer(i): // int (*name)(void)
			pointer = r.pointed(i)
		case r.ch(i) == '(' && pointer < 0 && (r.isWord(i-1) || r.is(i-1, ">")):
			// int (name)(void)
			if r.isWord(i+1) && r.ch(i+2) == ')' && r.ch(i+3) == '(' && (i-1 > from || !isLoud(r.text(from))) {
				return r.function(first, from, i+1, hi, scope, class, minor)
			}
			if isNoName(r.text(i-1)) || r.isMacroHead(i, from, scope) {
				break
			}
			at := i - 1
			if r.is(at, ">") {
				if at = r.beforeAngles(at, from); at < 0 {
					return r.skip(i, hi)
				}
			}
			return r.function(first, from, at, hi, scope, class, minor)
		case pointer >= 0 && (r.is(i, "=") || r.is(i, ";")):
			end := r.semicolon(i, hi)
			if end > 0 && !class {
				r.define(inner(scope, r.text(pointer)), pointer, first, end-1, minor)
			}
			return max(end, i+1)
		case r.is(i, "=") || r.is(i, ";"):
			return r.variable(first, from, i, hi, scope, class, minor)
		case r.ch(i) == '{':
			past := r.over(i)
			if r.is(past, ";") && r.isWord(i-1) && i > from && !typed { // int x{3};
				return r.variable(first, from, i, hi, scope, class, minor)
			}
			return past
		}
		i = r.over(i)
	}
	return hi
}

// isMacroHead says whether the bracket at i belongs to a macro before the head
// proper: EXPORT(int) name(…). A constructor is no macro.
func (r cReader) isMacroHead(i, from int, scope []string) bool {
	next := r.over(i)
	if isLoud(r.text(i-1)) && (r.is(next, "*") || r.is(next, "&") || r.isWord(next) && !isLoud(r.text(next)) &&
		!r.isTail(next)) && !r.oldStyle(i) {
		return true
	}
	if i-1 != from || len(scope) > 0 && r.is(from, scope[len(scope)-1]) {
		return false
	}
	return r.isWord(next) && !r.isTail(next) && !r.oldStyle(i)
}

// variable reads one that is declared alone; at is its = or ; or brace. What a
// class holds are fields, which are no symbols.
func (r cReader) variable(first, from, at, hi int, scope []string, class, minor bool) int {
	end := r.semicolon(at, hi)
	if end < 0 {
		return hi
	}
	single := true
	for i := from; i < end; i = r.over(i) {
		if r.is(i, "<") && r.isWord(i-1) {
			if past := r.angles(i, end); past > 0 {
				i = past - 1
			}
		}
		single = single && !r.is(i, ",")
	}
	k := at - 1
	for r.ch(k) == ']' {
		k = int(r.tokens[k].match) - 1
	}
	if isLoud(r.text(k)) && r.isWord(k-1) && !isNoName(r.text(k-1)) && (r.isWord(k-2) || r.is(k-2, "*")) {
		return end // int name ATTRIBUTE; or static type NAME;
	}
	if single && !class && k > from && r.isWord(k) && !isNoName(r.text(k)) && !r.isAny(from, "return", "goto", "using") {
		r.define(inner(r.qualified(k, from, scope), r.text(k)), k, first, end-1, minor)
		r.use(first, end)
	}
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
