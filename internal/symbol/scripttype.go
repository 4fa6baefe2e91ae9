package symbol

// typeStatement reads interface, type and enum, whose words are names elsewhere. It
// gives the index behind, or first.
func (r *reader) typeStatement(first, i, hi int, scope []string) int {
	if r.is(i, "const") && r.is(i+1, "enum") {
		i++
	}
	at := i + 1
	if at >= hi || !r.sameLine(at) {
		return first
	}
	path := inner(scope, r.text(at))
	switch {
	case r.isAny(i, "interface", "enum") && r.isWord(at):
		brace := r.classBody(i, hi)
		if brace < 0 || r.is(at+1, "=") || r.is(at+1, ":") {
			return first
		}
		end := r.over(brace)
		r.define(path, at, first, end-1, false)
		r.held = append(r.held, [2]int{brace, end})
		return end
	case r.is(i, "type") && r.isWord(at) && r.isAny(at+1, "=", "<"):
		return r.alias(first, at, hi, path)
	}
	return first
}

// alias reads type Name = …. Where the type ends in no way we know, the name is
// there and its span is not certain.
func (r *reader) alias(first, at, hi int, path []string) int {
	i := at + 1
	if r.is(i, "<") {
		if i = r.angles(i, hi); i < 0 {
			return first
		}
	}
	if !r.is(i, "=") || i >= hi {
		return first
	}
	end := r.typeEnd(i+1, hi)
	shaky := false
	if r.ends(end, hi) {
		end++
	} else if end < hi && r.sameLine(end) {
		shaky = true
	}
	r.define(path, at, first, end-1, false)
	if n := len(r.file.defs); shaky && n > 0 {
		r.file.defs[n-1].shaky = true
	}
	return end
}
