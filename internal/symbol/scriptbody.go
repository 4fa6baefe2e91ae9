package symbol

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
