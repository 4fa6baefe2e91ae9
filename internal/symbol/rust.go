package symbol

// readRust finds items: functions, types, traits, constants, modules, macros,
// and what impl blocks and bodies of functions hold.
func readRust(f *File, src []byte) {
	r := read(f, src, dialect{slashes: true, nested: true, rust: true})
	if r == nil {
		return
	}
	defer r.guard()
	r.binds = func(i int) bool {
		return r.isAny(i-1, "fn", "struct", "enum", "union", "trait", "mod", "type", "static", "const")
	}
	r.rustItems(0, len(r.tokens), nil, false)
}

// rustItems reads the items between two tokens. In the body of a function other
// code stands between them, in blocks that may hold items too.
func (r *reader) rustItems(lo, hi int, scope []string, body bool) {
	if body {
		r.use(lo, hi)
	}
	for i := lo; i < hi; {
		if i == lo || r.is(i-1, ";") || r.ch(i-1) == '{' || r.ch(i-1) == '}' || !body {
			if end := r.rustItem(i, hi, scope); end > i {
				i = end
				continue
			}
		}
		if body && r.ch(i) != 0 && isOpener(r.ch(i)) {
			r.rustItems(i+1, int(r.tokens[i].match), scope, true)
		}
		i = r.over(i)
	}
}

// rustItem reads one item and gives the index behind it, or i if none begins.
func (r *reader) rustItem(i, hi int, scope []string) int {
	k := i
	for r.is(k, "#") { // attributes; #![…] belongs to what is around it
		if r.is(k+1, "!") {
			r.use(k, r.over(k+2))
			return min(r.over(k+2), hi)
		}
		r.use(k, r.over(k+1))
		k = r.over(k + 1)
	}
	if r.is(k, "pub") {
		k++
		if r.ch(k) == '(' && r.isAny(k+1, "crate", "self", "super", "in") {
			k = r.over(k)
		}
	}
	for r.isAny(
		k, "default", "async", "unsafe", "safe", "extern",
	) || r.is(k, "const") && r.isAny(k+1, "fn", "unsafe", "async", "extern") {
		r.step()
		if r.is(k, "extern") && r.is(k+1, "crate") {
			break
		}
		if r.is(k, "unsafe") && r.ch(k+1) == '{' {
			return i
		}
		k++
		if r.isLiteral(k) { // extern "C"
			k++
		}
	}
	if k >= hi {
		return i
	}
	if r.ch(k) == '{' && r.isLiteral(k-1) { // extern "C" { … }
		r.rustItems(k+1, int(r.tokens[k].match), scope, false)
		return r.over(k)
	}
	return r.rustKeyword(i, k, hi, scope)
}

// rustKeyword reads an item that begins at i and has its keyword at k.
func (r *reader) rustKeyword(i, k, hi int, scope []string) int {
	if end := r.rustMacro(i, k, hi, scope); end > i {
		return end
	}
	at := k + 1
	if r.is(k, "static") && r.is(at, "mut") {
		at++
	}
	path := inner(scope, r.text(at))
	switch {
	case r.is(k, "impl") || r.is(k, "trait") && r.isWord(at):
		brace, end := r.rustEnd(at, hi)
		if end < 0 {
			return i
		}
		if r.is(k, "impl") {
			path = inner(scope, r.implemented(at, brace))
		} else {
			r.define(path, at, i, end-1, false)
		}
		if brace > 0 {
			r.use(i, brace)
			r.rustItems(brace+1, end-1, path, false)
		}
		return end
	case !r.isWord(at):
		return i
	case r.is(k, "fn"):
		brace, end := r.rustEnd(at, hi)
		if end < 0 {
			return i
		}
		r.define(path, at, i, end-1, false)
		r.use(i, end)
		if brace > 0 {
			r.rustItems(brace+1, end-1, path, true)
		}
		return end
	case r.is(k, "mod"):
		brace, end := r.rustEnd(at, hi)
		if end < 0 {
			return i
		}
		r.define(path, at, i, end-1, brace < 0)
		if brace > 0 {
			r.rustItems(brace+1, end-1, path, false)
		}
		return end
	case r.isAny(k, "struct", "enum", "union") && (r.ch(at+1) == '{' || r.ch(at+1) == '(' ||
		r.isAny(at+1, "<", ";", "where")):
		brace, end := r.rustEnd(at, hi)
		if end < 0 {
			return i
		}
		r.define(path, at, i, end-1, false)
		if brace > 0 {
			r.use(i, brace)
			r.unuse(brace, end)
		}
		return end
	case r.is(k, "const") || r.is(k, "static") || r.is(k, "type"):
		if !r.isAny(at+1, ":", "=", "<", ";") {
			return i
		}
		end := r.semicolon(at, hi)
		if end < 0 {
			return i
		}
		if r.text(at) != "_" {
			r.define(path, at, i, end-1, false)
			r.use(i, end)
		}
		return end
	case r.is(k, "use") || r.is(k, "extern"):
		if end := r.semicolon(at, hi); end >= 0 {
			r.use(i, end)
			return end
		}
	}
	return i
}

// rustMacro reads macro_rules! name { … }.
func (r *reader) rustMacro(i, k, hi int, scope []string) int {
	if !r.is(k, "macro_rules") || !r.is(k+1, "!") || !r.isWord(k+2) || !isOpener(r.ch(k+3)) {
		return i
	}
	end := r.over(k + 3)
	if r.is(end, ";") && end < hi {
		end++
	}
	r.define(inner(scope, r.text(k+2)), k+2, i, end-1, false)
	return end
}

// rustEnd finds the block of an item, or -1, and the index behind the item: of
// its block or its semicolon. Brackets of types may hold braces.
func (r *reader) rustEnd(i, hi int) (brace, end int) {
	for i < hi {
		switch {
		case r.is(i, "<"):
			next := r.angles(i, hi)
			if next < 0 {
				return -1, -1
			}
			i = next
			continue
		case r.ch(i) == '{':
			return i, r.over(i)
		case r.is(i, ";"):
			return -1, i + 1
		}
		i = r.over(i)
	}
	return -1, -1
}

// implemented returns the name of the type an impl block is for.
func (r *reader) implemented(i, brace int) string {
	if r.is(i, "<") {
		if i = r.angles(i, brace); i < 0 {
			return "impl"
		}
	}
	found := "impl"
	for i < brace && !r.is(i, "where") {
		switch {
		case r.is(i, "<"):
			if i = r.angles(i, brace); i < 0 {
				return "impl"
			}
			continue
		case r.is(i, "for"):
			found = "impl"
			if r.is(i+1, "<") { // for<'a> Fn(&'a T)
				if i = r.angles(i+1, brace); i < 0 {
					return "impl"
				}
				continue
			}
		case r.isWord(i) && !r.isAny(i, "dyn", "mut", "const"):
			found = r.text(i)
		}
		i = r.over(i)
	}
	return found
}
