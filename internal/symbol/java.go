package symbol

// readJava finds types and their methods, and constants of classes.
func readJava(f *File, src []byte) {
	r := read(f, src, dialect{slashes: true, java: true})
	if r == nil {
		return
	}
	defer r.guard()
	r.binds = func(i int) bool {
		if r.isAny(i-1, "class", "interface", "enum", "record") {
			return true
		}
		return r.ch(i+1) == '(' && !r.is(i-1, "new") && !r.is(i-1, ".") && (r.ch(r.past(i+1)) == '{' ||
			r.is(r.past(i+1), "throws"))
	}
	if r.is(0, "package") {
		for i := 1; i < len(r.tokens) && !r.is(i, ";"); i++ {
			f.place += r.text(i)
		}
	}
	r.javaMembers(0, len(r.tokens), nil)
}

// javaMembers reads what a file or the body of a type holds.
func (r *reader) javaMembers(lo, hi int, scope []string) {
	for i := lo; i < hi; {
		switch {
		case r.is(i, ";"):
			i++
		case len(scope) == 0 && r.isAny(i, "import", "package"):
			end := i
			for end < hi && !r.is(end, ";") {
				end++
			}
			r.use(i, end)
			i = end
		default:
			i = max(r.javaMember(i, hi, scope), i+1)
		}
	}
}

// javaMember reads one member and gives the index behind it.
func (r *reader) javaMember(first, hi int, scope []string) int {
	static, params := false, -1
	for i := first; i < hi; {
		switch {
		case r.is(i, "@") && !r.is(i+1, "interface"):
			from := i
			for i += 2; r.is(i, "."); {
				i += 2
			}
			if r.ch(i) == '(' {
				i = r.over(i)
			}
			r.use(from, i)
			continue
		case params < 0 && r.isJavaType(i):
			return r.javaType(first, i, hi, scope)
		case r.is(i, "static"):
			static = true
		case r.ch(i) == '(' && params < 0 && r.isWord(i-1):
			params = i
		case r.is(i, "default") && params >= 0: // of an annotation
			for i < hi && !r.is(i, ";") {
				i = r.over(i)
			}
			continue
		case r.is(i, ";") && params >= 0, r.ch(i) == '{' && params >= 0:
			end := r.over(i)
			r.define(inner(scope, r.text(params-1)), params-1, first, end-1, false)
			r.use(first, end)
			return end
		case r.ch(i) == '{': // an initializer, or the short constructor of a record
			end := r.over(i)
			if len(scope) > 0 && r.is(i-1, scope[len(scope)-1]) {
				r.define(inner(scope, r.text(i-1)), i-1, first, end-1, false)
			}
			r.use(first, end)
			return end
		case r.is(i, "=") || r.is(i, ";"):
			return r.javaField(first, i, hi, scope, static)
		}
		i = r.over(i)
	}
	return hi
}

func (r *reader) isJavaType(i int) bool {
	if !r.isAny(i, "class", "interface", "enum", "record") || r.is(i-1, ".") || !r.isWord(i+1) {
		return false
	}
	return r.ch(i+2) == '{' || r.isAny(i+2, "<", "extends", "implements", "permits") || r.is(i, "record") &&
		r.ch(i+2) == '('
}

// javaType reads a type whose keyword stands at k.
func (r *reader) javaType(first, k, hi int, scope []string) int {
	brace := k
	for brace < hi && r.ch(brace) != '{' {
		if r.is(brace, ";") {
			return brace
		}
		brace = r.over(brace)
		if r.is(brace, "@") && r.ch(brace+2) == '(' {
			brace += 2
		}
	}
	if brace >= hi {
		return hi
	}
	path, end := inner(scope, r.text(k+1)), r.over(brace)
	r.define(path, k+1, first, end-1, false)
	r.use(first, brace)
	from := brace + 1
	if r.is(k, "enum") { // the constants end at a semicolon
		for from < end-1 && !r.is(from, ";") {
			from = r.over(from)
		}
	}
	r.javaMembers(from, end-1, path)
	return end
}

// javaField reads a field. Only those of the class are symbols: the others share
// their names with methods and parameters.
func (r *reader) javaField(first, at, hi int, scope []string, static bool) int {
	end, single := at, true
	for end < hi && !r.is(end, ";") {
		single = single && !r.is(end, ",")
		end = r.over(end)
	}
	for i := first; i < at; i = r.over(i) {
		if r.is(i, "<") {
			if past := r.angles(i, at); past > 0 {
				i = past - 1
			}
		}
		single = single && !r.is(i, ",")
	}
	if end >= hi {
		return hi
	}
	if static && single && r.isWord(at-1) {
		r.define(inner(scope, r.text(at-1)), at-1, first, end, false)
		r.use(at, end)
	}
	return end + 1
}
