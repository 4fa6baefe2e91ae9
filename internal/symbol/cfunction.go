package symbol

import "slices"

// beforeAngles returns the word before <…> that ends at i, or -1.
func (r cReader) beforeAngles(i, from int) int {
	for nest := 0; i > from; i-- {
		switch {
		case r.is(i, ">"):
			nest++
		case r.is(i, "<"):
			if nest--; nest == 0 {
				if r.isWord(i - 1) {
					return i - 1
				}
				return -1
			}
		}
	}
	return -1
}

// oldStyle says whether parameters are declared behind the bracket at i:
// f(a, b) int a; char *b; {
func (r cReader) oldStyle(i int) bool {
	if !r.plain {
		return false
	}
	for k := i + 1; k < int(r.tokens[i].match); k++ {
		if !r.isWord(k) && !r.is(k, ",") || r.isWord(k) && r.isWord(k+1) {
			return false
		}
	}
	return r.oldBody(r.over(i)) > 0
}

// oldBody returns the brace behind declarations of parameters, or -1.
func (r cReader) oldBody(i int) int {
	const most = 200
	if !r.plain || !r.isWord(i) {
		return -1
	}
	for from := i; i < len(r.tokens) && i < from+most; i = r.over(i) {
		if r.ch(i) == '{' || r.is(i, "=") || opener(r.ch(i)) != 0 {
			return -1
		}
		if r.is(i, ";") && r.ch(i+1) == '{' {
			return i + 1
		}
	}
	return -1
}

// function reads one whose name ends at token at.
func (r cReader) function(first, from, at, hi int, scope []string, class, minor bool) int {
	text, params := r.text(at), at+1
	if text == operator {
		text, params = r.operatorName(at, hi)
	} else if r.ch(params) == ')' {
		params++
	} else if r.is(params, "<") {
		params = r.angles(params, hi)
	}
	if params < 0 || params >= hi || r.ch(params) != '(' {
		return r.skip(at, hi)
	}
	named := at
	if r.is(at-1, "~") {
		text = "~" + text
		at--
	}
	path := r.qualified(at, from, scope)
	full := inner(path, text)
	loud := (at == from || r.ch(at-1) == ')') && isLoud(text) && len(path) == 0 // TEST(a, b) { … }
	end, body := r.functionEnd(r.over(params), hi)
	if end < 0 {
		if brace := r.oldBody(r.over(params)); brace > 0 && r.oldStyle(params) {
			end, body = r.over(brace), true
		} else {
			return r.skip(r.over(params), hi)
		}
	}
	if loud {
		if body {
			r.useBody(r.over(params), end)
		}
		return end
	}
	if body || !r.is(from, "friend") {
		r.define(full, named, first, end-1, minor || !body)
		r.overload(full, params, class)
	}
	r.use(first, r.over(params))
	i := r.over(params)
	for ; i < end && r.ch(i) != '{' && !r.is(i, ":"); i++ {
		if r.ch(i+1) != '(' || r.isTail(i) { // else it might be the name after all
			r.use(i, i+1)
		}
	}
	r.useBody(i, end)
	return end
}

// overload notes what tells a function just defined from others of its name.
func (r cReader) overload(path []string, params int, class bool) {
	n := len(r.file.defs) - 1
	if r.plain || n < 0 || !slices.Equal(r.file.defs[n].path, path) {
		return
	}
	r.file.defs[n].params, r.file.defs[n].inClass = r.shape(params), class
}

// shape returns the first word of the type of each parameter that says something,
// which a declaration and its definition have in common.
func (r cReader) shape(params int) string {
	end, shape := int(r.tokens[params].match), "("
	for i, begins := params+1, true; i < end; i = r.over(i) {
		switch {
		case r.is(i, ","):
			begins = true
		case r.is(i, "<"):
			if past := r.angles(i, end); past > 0 {
				i = past - 1
			}
		case !begins || r.isAny(i, "const", "volatile", "struct", "class", "enum", "register", "::") || r.is(i+1, "::") ||
			r.is(i, "void") && i+1 == end:
		default:
			shape, begins = shape+r.text(i)+",", false
		}
	}
	return shape
}

// operatorName returns the whole name of an operator and where its brackets are.
func (r cReader) operatorName(at, hi int) (string, int) {
	text, i := operator, at+1
	if r.ch(i) == '(' && r.ch(i+1) == ')' || r.ch(i) == '[' {
		text += string(r.ch(i)) + string(r.ch(i+1))
		i = r.over(i)
	}
	const most = 30 // tokens of a type converted to
	for ; i < hi && r.ch(i) != '('; i++ {
		t := r.tokens[i]
		if r.isWord(i) {
			text += " "
		}
		text += r.src[t.start:t.end]
		if r.is(i, ";") || r.ch(i) == '{' || i > at+most {
			return text, -1
		}
	}
	return text, i
}

// qualified returns the path of what stands at token at: A::B::name in a scope.
func (r cReader) qualified(at, from int, scope []string) []string {
	var outer []string
	for r.is(at-1, "::") && at-2 >= from {
		at -= 2
		if r.is(at, ">") {
			if at = r.beforeAngles(at, from); at < 0 {
				break
			}
		}
		if !r.isWord(at) {
			break
		}
		outer = append([]string{r.text(at)}, outer...)
	}
	return inner(scope, outer...)
}

// functionEnd returns the index behind a function whose parameters end before i,
// and whether it has a body. It gives -1 for what is none.
func (r cReader) functionEnd(i, hi int) (end int, body bool) {
	for i < hi {
		switch {
		case r.ch(i) == '{':
			return r.over(i), true
		case r.is(i, ";"):
			return i + 1, false
		case r.is(i, "="):
			end := r.semicolon(i, hi)
			return end, end > 0 && r.isAny(i+1, "default", "delete")
		case r.is(i, ","):
			return -1, false
		case r.is(i, "->"): // the type, up to the body
			for i++; i < hi && r.ch(i) != '{' && !r.is(i, ";") && !r.is(i, "="); {
				if r.is(i, "<") {
					if past := r.angles(i, hi); past > 0 {
						i = past
						continue
					}
				}
				i = r.over(i)
			}
			continue
		case r.is(i, "requires"):
			i = r.requires(i, hi)
			continue
		case r.is(i, "try") || r.is(i, ":"):
			return r.initializers(i, hi)
		case r.isTail(i) || r.isAny(i, "&", "&&"):
		case r.ch(i) == '(' && r.isWord(i-1) || r.ch(i) == '[':
		case isLoud(r.text(i)) || r.isWord(i) && len(r.text(i)) > 1 && r.text(i)[:2] == "__":
		case r.isWord(i) && (r.ch(i+1) == '{' || r.is(i+1, ";") || r.ch(i+1) == '('): // a macro in small letters
			if r.sameLine(i) {
				break
			}
			return -1, false
		default:
			return -1, false
		}
		i = r.over(i)
	}
	return -1, false
}

// initializers reads [try] : a(1), b{2} { … } [catch (…) { … }].
func (r cReader) initializers(i, hi int) (end int, body bool) {
	caught := r.is(i, "try")
	if caught {
		i++
	}
	if r.is(i, ":") {
		for i++; i < hi; {
			if r.is(i, "<") {
				past := r.angles(i, hi)
				if past < 0 {
					return -1, false
				}
				i = past
				continue
			}
			if r.ch(i) != '(' && r.ch(i) != '{' {
				if !r.isWord(i) && !r.is(i, "::") {
					return -1, false
				}
				i++
				continue
			}
			if i = r.over(i); r.is(i, "...") {
				i++
			}
			if !r.is(i, ",") {
				break
			}
			i++
		}
	}
	if i >= hi || r.ch(i) != '{' {
		return -1, false
	}
	for i = r.over(i); caught && r.is(i, "catch") && r.ch(i+1) == '('; {
		i = r.over(r.over(i + 1))
	}
	return min(i, hi), true
}
