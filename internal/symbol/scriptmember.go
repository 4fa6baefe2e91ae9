package symbol

import "strings"

// modifiers returns the index of a member's name. A modifier may be a name itself.
func (r *reader) modifiers(i int) int {
	for {
		i = r.decorators(i)
		switch {
		case r.is(i, "*"):
			i++
		case r.isAny(
			i, "public", "private", "protected", "static", "readonly", "abstract", "override", "async",
			"declare", "accessor", "get", "set",
		) &&
			r.ch(i+1) != '(' && r.ch(i+1) != '}' && !r.isAny(i+1, "=", ";", ":", "?", "!", "<", ","):
			i++
		default:
			return i
		}
	}
}

// memberName returns the name at a token and the index behind it.
func (r *reader) memberName(i int) (string, int) {
	if r.is(i, "#") && r.isWord(i+1) {
		return r.text(i + 1), i + 2
	}
	switch {
	case r.isWord(i):
		return r.text(i), i + 1
	case r.isLiteral(i):
		t := r.tokens[i]
		return strings.Trim(r.src[t.start:t.end], `"'`), i + 1
	case r.ch(i) == '[':
		return "", r.over(i)
	}
	return "", i + 1
}

// wordAt returns the name's token among those from at to before: #x has it second.
func (r *reader) wordAt(before, at int) int {
	if r.is(at, "#") && at+1 <= before {
		at++
	}
	if r.isWord(at) {
		return at
	}
	return -1
}

// holdsFunction says whether a value is a function or class, or a plain call that
// is given one first: memo(() => …), React.memo(() => …).
func (r *reader) holdsFunction(i, hi int) bool {
	if r.isFunction(i, hi) {
		return true
	}
	if r.is(i, "React") && r.is(i+1, ".") {
		i += 2
	}
	if r.isWord(i) {
		i++
	}
	if r.is(i, "<") {
		if i = r.angles(i, hi); i < 0 {
			return false
		}
	}
	return i < hi && r.ch(i) == '(' && r.is(i, "(") && r.isWord(i-1) && r.isFunction(i+1, hi)
}

func (r *reader) isFunction(i, hi int) bool {
	if r.is(i, "async") && r.sameLine(i+1) && !r.is(i+1, "=>") {
		i++
	}
	switch {
	case i >= hi:
		return false
	case r.is(i, "function") || r.isClass(i):
		return true
	case r.isWord(i):
		return r.is(i+1, "=>")
	case r.is(i, "<") || r.ch(i) == '(':
		past := r.signature(i, hi)
		return past > 0 && past < hi && r.is(past, "=>")
	}
	return false
}
