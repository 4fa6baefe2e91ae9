package symbol

import "strings"

// members reads the body of a class.
func (r *reader) members(lo, hi int, path []string) {
	for i := lo; i < hi; {
		if r.is(i, ";") {
			i++
			continue
		}
		i = max(r.member(i, hi, path), i+1)
	}
}

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

// member reads one member of a class and gives the index behind it.
func (r *reader) member(first, hi int, path []string) int {
	at := r.modifiers(first)
	if r.ch(at) == '{' { // static { … }
		r.statements(at+1, int(r.tokens[at].match), path, inBlock)
		return r.over(at)
	}
	text, i := r.memberName(at)
	full := inner(path, text)
	if r.isAny(i, "?", "!") {
		i++
	}
	if past := r.signature(i, hi); past >= 0 && (r.ch(i) == '(' || r.is(i, "<")) {
		last := past - 1
		if r.ch(past) == '{' && past < hi {
			last = r.over(past) - 1
			r.statements(past+1, last, full, inBlock)
		} else if r.ends(past, hi) {
			last = past
		}
		r.statements(i+1, past, full, inValue)
		if text != "" {
			r.define(full, r.wordAt(i-1, at), first, last, false)
		}
		return last + 1
	}
	if r.is(i, ":") {
		i = r.typeEnd(i+1, hi)
	}
	if !r.is(i, "=") || i >= hi {
		return i
	}
	last := r.valueEnd(i+1, hi)
	if r.holdsFunction(i+1, hi) && text != "" {
		r.value(i+1, last+1, full)
		if r.ends(last+1, hi) {
			last++
		}
		r.define(full, r.wordAt(i-1, at), first, last, false)
	} else {
		r.value(i+1, last+1, path)
	}
	return last + 1
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

// object reads the body of an object: its methods, and functions as values.
func (r *reader) object(lo, hi int, path []string) {
	for i := lo; i < hi; {
		if r.is(i, ",") || r.is(i, "...") {
			i++
			continue
		}
		i = max(r.property(i, hi, path), i+1)
		for i < hi && !r.is(i, ",") {
			i = max(r.valuePart(i, hi, path), i+1)
		}
	}
}

// property reads one member of an object and gives the index behind what it read.
func (r *reader) property(first, hi int, path []string) int {
	at := r.modifiers(first)
	text, i := r.memberName(at)
	full := inner(path, text)
	if text == "" || i > hi || r.isAny(at, "if", "for", "while", "switch", "with") && r.ch(i) == '(' {
		return first
	}
	if past := r.signature(i, hi); past >= 0 && r.ch(past) == '{' && past < hi {
		end := r.over(past)
		r.define(full, r.wordAt(i-1, at), first, end-1, false)
		r.statements(i+1, past, full, inValue)
		r.statements(past+1, end-1, full, inBlock)
		return end
	}
	if !r.is(i, ":") {
		return first
	}
	end := i + 1
	for end < hi && !r.is(end, ",") {
		end = max(r.over(end), r.typeArguments(end, hi))
	}
	if r.holdsFunction(i+1, end) {
		r.define(full, r.wordAt(i-1, at), first, end-1, false)
	}
	r.value(i+1, end, full)
	return end
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
