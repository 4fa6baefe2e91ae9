package symbol

import "strings"

// readScript finds functions, classes and their methods, types, and variables:
// all of a module, and those with functions as values of what is inside.
func readScript(f *File, src []byte) {
	parseScript(f, src, dialect{slashes: true, script: true, typed: true})
}

// readScriptJSX is readScript where text may stand in elements.
func readScriptJSX(f *File, src []byte) {
	parseScript(
		f, src,
		dialect{slashes: true, script: true, jsx: true, typed: strings.HasSuffix(strings.ToLower(f.path), ".tsx")},
	)
}

func parseScript(f *File, src []byte, d dialect) {
	r := read(f, src, d)
	if r == nil {
		return
	}
	defer r.guard()
	r.binds = r.scriptBinds
	r.statements(0, len(r.tokens), nil, atTop)
	from := 0
	for _, body := range r.held {
		r.use(from, body[0])
		from = max(from, body[1])
	}
	r.use(from, len(r.tokens))
}

// scriptBinds says whether a word stands where it may be defined: before = or a
// colon in an object, class or block, in a pattern of const, behind "as".
func (r *reader) scriptBinds(i int) bool {
	if r.isAny(
		i-1, "function", "class", "interface", "enum", "type", "namespace", "module", "as", "const", "let",
		"var", "private", "public", "protected", "readonly",
	) {
		return true
	}
	if r.ch(i+1) == '(' && r.ch(r.past(i+1)) == '{' && !r.isAny(i, "if", "for", "while", "switch", "catch", "with") {
		return true
	}
	up := int(r.tokens[i].up)
	if r.ch(up) == '(' {
		return false
	}
	if r.ch(up) == '{' || r.ch(up) == '[' { // const { name } = …
		for outer := up; outer >= 0; outer = int(r.tokens[outer].up) {
			if r.isAny(outer-1, "const", "let", "var") {
				return true
			}
			if r.ch(outer) == '(' {
				break
			}
		}
	}
	if r.is(i+1, ":") || r.is(i+1, "?") && r.is(i+2, ":") || r.is(i+1, "!") && r.is(i+2, ":") {
		return !r.isAny(i-1, "case", "?")
	}
	return r.is(i+1, "=")
}
