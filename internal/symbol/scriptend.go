package symbol

// typeEnd returns the index behind the type that begins at i.
func (r *reader) typeEnd(i, hi int) int {
	for i < hi {
		r.step()
		from := i
		for r.isAny(
			i, "|", "&", "keyof", "typeof", "readonly", "unique", "infer", "asserts", "new", "abstract", "-",
		) && i+1 < hi &&
			!r.isAny(i+1, "=", ";", ",", ">", "|", "&", "=>") && opener(r.ch(i+1)) == 0 {
			i++
		}
		if r.is(i, "<") { // of a function's type
			next := r.angles(i, hi)
			if next < 0 {
				return i
			}
			i = next
		}
		params := false
		switch ch := r.ch(i); {
		case isOpener(ch):
			params = r.isParams(i)
			i = r.over(i)
		case r.isWord(i) || r.isLiteral(i) || i < len(r.tokens) && r.tokens[i].kind == number:
			i++
		default:
			return i
		}
		i = r.typeTail(i, hi)
		switch {
		case i >= hi:
			return hi
		case r.isAny(i, "|", "&"):
		case r.is(i, "=>") && params, r.is(i, "extends"), r.is(i, "is") && r.sameLine(i):
			i++
		case r.is(i, "?") && r.conditional(from, i):
			i++
		case r.is(i, ":") && r.conditional(from, i):
			i++
		default:
			return i
		}
	}
	return min(i, hi)
}

// isParams tells the parameters of a function's type from a type in brackets, as
// TypeScript does: (a: T) => U from (A | B).
func (r *reader) isParams(i int) bool {
	if !r.is(i, "(") {
		return false
	}
	switch i++; {
	case r.ch(i) == ')' || r.is(i, "...") || r.ch(i) == '{' || r.ch(i) == '[':
		return true
	}
	return r.isWord(i) && (r.isAny(i+1, ":", ",", "?", "=") || r.ch(i+1) == ')')
}

// typeTail reads what may follow a part of a type: .name, <arguments>, [].
func (r *reader) typeTail(i, hi int) int {
	for i < hi {
		switch {
		case r.is(i, ".") && r.isWord(i+1):
			i += 2
		case r.is(i, "<") && r.sameLine(i):
			next := r.angles(i, hi)
			if next < 0 {
				return i
			}
			i = next
		case r.ch(i) == '[' && r.sameLine(i):
			i = r.over(i)
		case r.ch(i) == '(' && r.is(i-1, "import"):
			i = r.over(i)
		default:
			return i
		}
	}
	return i
}

// conditional says whether the ? or : at i belongs to A extends B ? C : D.
func (r *reader) conditional(from, i int) bool {
	up := r.tokens[i].up
	for j := i - 1; j >= 0 && j > i-maxAngles && r.tokens[j].up >= up; j-- {
		r.step()
		if r.tokens[j].up != up {
			continue
		}
		switch {
		case r.is(j, ";") || r.is(j, "="):
			return false
		case r.is(i, "?") && r.is(j, "extends"):
			return true
		case r.is(i, ":") && r.is(j, "?"):
			return r.conditional(from, j)
		}
	}
	return false
}

// valueEnd returns the last token of the value, or statement, that begins at i.
func (r *reader) valueEnd(i, hi int) int {
	for i < hi {
		last := i
		switch {
		case r.is(i, "function") && !r.is(i-1, "."):
			k := i + 1
			if r.is(k, "*") {
				k++
			}
			if r.isWord(k) {
				k++
			}
			if past := r.signature(k, hi); past > 0 && r.ch(past) == '{' && past < hi {
				last = r.over(past) - 1
			}
		case r.isClass(i):
			if brace := r.classBody(i, hi); brace > 0 {
				last = r.over(brace) - 1
			}
		case r.is(i, "=>") && r.ch(i+1) == '{' && i+1 < hi:
			// no operator follows the body of an arrow function
			if last = r.over(i+1) - 1; !r.sameLine(last+1) && !r.is(last+1, ":") {
				return last
			}
		case r.typeArguments(i, hi) > 0:
			last = r.typeArguments(i, hi) - 1
		default:
			if past := r.arrow(i, hi); past > i {
				last = past - 1
			} else {
				last = r.over(i) - 1
			}
		}
		next := last + 1
		if next >= hi || r.is(next, ";") || r.is(next, ",") || opener(r.ch(next)) != 0 {
			return min(last, hi-1)
		}
		if !r.sameLine(next) && !r.continues(last, next) {
			return last
		}
		i = next
	}
	return hi - 1
}

// typeArguments returns the index behind those of a call or new that begin at i, or
// -1: their commas do not end a value. It asks as TypeScript does.
func (r *reader) typeArguments(i, hi int) int {
	if !r.is(i, "<") || !r.isWord(i-1) || !r.typed {
		return -1
	}
	past := r.angles(i, hi)
	if past > 0 && (r.ch(past) == '(' || past >= hi || r.ch(past) == ';' || !r.sameLine(past)) {
		return past
	}
	return -1
}

// arrow returns the index of the => of an arrow function whose parameters begin at
// i: its result type may hold commas.
func (r *reader) arrow(i, hi int) int {
	if r.ch(i) != '(' && !r.is(i, "<") || r.isWord(i-1) && !r.isAny(i-1, "async", "return", "default", "await", "yield") {
		return -1
	}
	if past := r.signature(i, hi); past > 0 && past < hi && r.is(past, "=>") {
		return past
	}
	return -1
}

// ends says whether the semicolon at i belongs to what stands before it: one that
// begins a later line belongs to what follows there.
func (r *reader) ends(i, hi int) bool {
	return i < hi && r.is(i, ";") && (r.sameLine(i) || !r.sameLine(i+1))
}

// continues says whether token b, at the start of a line, goes on with what a
// ended the line before with: JavaScript puts no semicolon between.
func (r *reader) continues(a, b int) bool {
	switch ch := r.ch(b); {
	case ch == '(' || ch == '[':
		return true
	case ch == '{' || opener(ch) != 0 || ch == ';':
		return r.isAny(a, "=>", "=")
	}
	if r.isWord(b) {
		if r.isAny(b, "instanceof", "in", "satisfies") {
			return true
		}
	} else if r.tokens[b].kind == punct && !r.isAny(b, "++", "--", "!", "~", "@", "#", "...") {
		return true
	}
	switch {
	case r.isWord(a):
		return r.isAny(
			a, "typeof", "new", "await", "void", "delete", "in", "of", "instanceof", "extends", "as",
			"satisfies", "implements", "from", "import",
		) &&
			!r.is(a-1, ".")
	case r.tokens[a].kind != punct || opener(r.ch(a)) != 0:
		return false
	case r.is(a, ">") && r.isAny(
		b, "const", "let", "var", "function", "class", "export", "import", "if", "for", "while", "return",
		"interface", "type",
	):
		return false
	}
	return !r.isAny(a, "++", "--", ";") && !(r.is(a, "!") && !r.is(b, "!"))
}

// signature returns the index behind type parameters, parameters and result, or -1.
func (r *reader) signature(i, hi int) int {
	if r.is(i, "<") {
		if i = r.angles(i, hi); i < 0 {
			return -1
		}
	}
	if r.ch(i) != '(' {
		return -1
	}
	i = r.over(i)
	if r.is(i, ":") {
		i = r.typeEnd(i+1, hi)
	}
	return i
}

// isClass tells a class from a field of that name.
func (r *reader) isClass(i int) bool {
	if !r.is(i, "class") || r.isAny(i-1, ".", "?.") {
		return false
	}
	return r.ch(i+1) == '{' || r.isWord(i+1) && (r.ch(i+2) == '{' || r.isAny(i+2, "<", "extends", "implements")) ||
		r.is(i+1, "extends")
}

// classBody returns the index of the brace of a class whose keyword stands at k, or -1.
func (r *reader) classBody(k, hi int) int {
	for i := k + 1; i < hi; {
		switch {
		case r.is(i, "<"):
			next := r.angles(i, hi)
			if next < 0 {
				return -1
			}
			i = next
			continue
		case r.ch(i) == '{':
			return i
		case r.is(i, ";"):
			return -1
		}
		i = r.over(i)
	}
	return -1
}

// decorators returns the index behind @decorators.
func (r *reader) decorators(i int) int {
	for r.is(i, "@") {
		r.step()
		if i++; r.ch(i) == '(' {
			i = r.over(i)
			continue
		}
		for i++; r.is(i, "."); {
			i += 2
		}
		if r.is(i, "<") {
			if past := r.angles(i, len(r.tokens)); past > 0 {
				i = past
			}
		}
		if r.ch(i) == '(' && r.sameLine(i) {
			i = r.over(i)
		}
	}
	return i
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
