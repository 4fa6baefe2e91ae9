package symbol

import "strings"

type cReader struct {
	*reader
	plain bool // C, where functions may be written as Kernighan and Ritchie did
}

// isLoud says whether a word is all in capitals, as macros are.
func isLoud(text string) bool {
	return len(text) > 1 && text == strings.ToUpper(text) && text != strings.ToLower(text)
}

// isNoName says whether a word before a bracket names no function.
func isNoName(text string) bool {
	switch text {
	case "if",
		"for",
		"while",
		"switch",
		"return",
		"sizeof",
		"decltype",
		"alignas",
		"alignof",
		"_Alignas",
		"noexcept",
		"throw",
		"typeof",
		"__typeof__",
		"__attribute__",
		"__attribute",
		"__declspec",
		"asm",
		"__asm__",
		"static_assert",
		"_Static_assert",
		"requires",
		"explicit",
		"void",
		"int",
		"char",
		"short",
		"long",
		"float",
		"double",
		"bool",
		"unsigned",
		"signed",
		"auto",
		"const",
		"volatile",
		"constexpr",
		"static",
		"inline",
		"struct",
		"catch",
		"new",
		"delete",
		"defined":
		return true
	}
	return false
}

// skip goes behind what is not understood: to a semicolon or a block.
func (r cReader) skip(i, hi int) int {
	for ; i < hi; i = r.over(i) {
		if r.is(i, ";") {
			return i + 1
		}
		if r.ch(i) == '{' {
			return r.over(i)
		}
	}
	return hi
}

func (r cReader) isTail(i int) bool {
	return r.isAny(
		i, "const", "volatile", "noexcept", "override", "final", "throw", "try", "requires", "__attribute__",
		"asm", "__asm__", "mutable",
	)
}

// useBody marks the body of a function as understood, but for the types in it.
func (r cReader) useBody(lo, hi int) {
	for i := lo; i < hi; i++ {
		end := i
		switch {
		case r.isAny(i, "struct", "class", "union", "enum"):
			for end < hi && (r.isWord(end) || r.isAny(end, ":", "::", ",", "<", ">")) {
				r.step()
				end++
			}
			if r.ch(end) == '{' {
				end = r.over(end)
			} else {
				end = i
			}
		case r.is(i, "typedef"):
			for end < hi && !r.is(end, ";") {
				end = r.over(end)
			}
		}
		if end > i {
			i = min(end, hi) - 1
			continue
		}
		r.use(i, i+1)
	}
}

// isPointer tells (*name)(…), (*name)[…] and (name)(…) from parameters.
func (r cReader) isPointer(i int) bool {
	next := r.ch(r.over(i))
	if next != '(' && next != '[' {
		return false
	}
	return r.isAny(i+1, "*", "^", "&") || r.isWord(i+1) && (r.is(i+2, "*") || r.is(i+2, "::") || r.ch(i+2) == ')')
}

// pointed returns the name in (*name), (*name[3]) or (CALL *name), or -1.
func (r cReader) pointed(i int) int {
	for k := int(r.tokens[i].match) - 1; k > i; k-- {
		if r.isWord(k) && r.tokens[k].up == int32(i) {
			return k
		}
	}
	return -1
}

func (r cReader) requires(i, hi int) int {
	for i++; i < hi; {
		switch {
		case r.is(i, "requires"):
			if i++; r.ch(i) == '(' {
				i = r.over(i)
			}
			if r.ch(i) == '{' {
				i = r.over(i)
			}
		case r.ch(i) == '(':
			i = r.over(i)
		case r.isWord(i):
			for i++; r.is(i, "::") || r.is(i-1, "::"); {
				i++
			}
			if r.is(i, "<") {
				past := r.angles(i, hi)
				if past < 0 {
					return i
				}
				i = past
			}
			if r.ch(i) == '(' {
				i = r.over(i)
			}
		default:
			return i
		}
		if !r.isAny(i, "&&", "||") {
			return i
		}
		i++
	}
	return i
}

// aloneMacro tells a macro that has a line for itself, like Q_OBJECT or
// DECLARE(x), from the type of a function whose name is in the next line.
func (r cReader) aloneMacro(i int) bool {
	if !isLoud(r.text(i)) {
		return false
	}
	next := r.macroEnd(i)
	if next >= len(r.tokens) || r.sameLine(next) || !r.isWord(next) {
		return false
	}
	return r.ch(next+1) != '(' || isLoud(r.text(next))
}

func (r cReader) macroEnd(i int) int {
	if r.ch(i+1) == '(' {
		return r.over(i + 1)
	}
	return i + 1
}
