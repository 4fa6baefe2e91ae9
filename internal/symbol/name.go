package symbol

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Find returns the span of a symbol, or why there is none in plain words.
//
// A name is qualified by ".", "::" or "#", which mean the same; "(*T).M" is
// "T.M". A name means the definition that is called exactly so from the outside
// in; if there is none, the only one whose full name ends so. Outer names that
// are only the file's own name or folders (a package, a module) may lead.
func (f *File) Find(name string) (Span, Status, string) {
	if f.why != "" {
		return Span{}, Unknown, f.why
	}
	parts := split(name)
	if len(parts) == 0 {
		return Span{}, Unknown, "no symbol is named"
	}
	for from := 0; ; from++ {
		if hits := f.named(parts[from:]); len(hits) > 0 {
			return f.one(hits, name)
		}
		if from+1 == len(parts) || !f.isPlace(parts[from]) {
			return f.none(parts[from:], name)
		}
	}
}

// Names returns every definition that Find finds by the name given here.
func (f *File) Names() ([]Symbol, bool) {
	if f.why != "" {
		return nil, false
	}
	names := make([]string, len(f.defs))
	groups := make(map[string][]def, len(f.defs))
	for i, d := range f.defs {
		if !slices.Equal(split(strings.Join(d.path, ".")), d.path) {
			continue // inside what is called "a.b", a key of an object: only its own name finds it
		}
		names[i] = strings.Join(d.path, f.lang.separator)
		groups[names[i]] = append(groups[names[i]], d)
	}
	var symbols []Symbol
	for _, name := range names {
		if hits := groups[name]; hits != nil {
			if span, status, _ := f.one(hits, name); status == Found {
				symbols = append(symbols, Symbol{name, span})
			}
			delete(groups, name)
		}
	}
	return symbols, true
}

// split takes a name apart at ".", "::" and "#". A name of an operator is whole.
func split(name string) []string {
	name = strings.TrimSpace(name)
	if at := strings.Index(name, operator); at >= 0 && (at == 0 || strings.IndexByte(".:#", name[at-1]) >= 0) {
		if end := at + len(operator); end < len(name) && !isWordByte(name[end]) {
			return append(split(name[:at]), name[at:])
		}
	}
	name = strings.ReplaceAll(strings.TrimSuffix(name, "()"), "::", ".")
	var parts []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '#' }) {
		if part = strings.Trim(part, "(*) "); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// operator begins the names of C++'s operators.
const operator = "operator"

// isName says whether a name can be asked for.
func isName(text string) bool {
	parts := split(text)
	return len(parts) == 1 && parts[0] == text
}

// named returns the definitions a name may mean: those with exactly this name, or else
// those whose full name ends so.
func (f *File) named(parts []string) []def {
	var exact, ending, makers []def
	for _, at := range f.last[parts[len(parts)-1]] {
		d := f.defs[at]
		from := len(d.path) - len(parts)
		switch {
		case from < 0 || !slices.Equal(d.path[from:], parts):
		case from == 0:
			exact = append(exact, d)
		case len(parts) == 1 && d.path[from-1] == parts[0]: // a constructor: T is the type
			makers = append(makers, d)
		default:
			ending = append(ending, d)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(ending) > 0:
		return ending
	}
	return makers
}

// maxNamesakes is how many definitions of one name are looked at.
const maxNamesakes = 256

// one settles on one of several definitions, or does not.
func (f *File) one(hits []def, name string) (Span, Status, string) {
	if len(hits) > maxNamesakes {
		return Span{}, Unknown, fmt.Sprintf("ambiguous: %d symbols are called %s", len(hits), name)
	}
	major := slices.DeleteFunc(slices.Clone(hits), func(d def) bool { return d.minor })
	if len(major) == 1 && !slices.ContainsFunc(hits, major[0].overloads) {
		hits = major
	}
	hits = distinct(hits)
	if len(hits) > 1 {
		return Span{}, Unknown, fmt.Sprintf("ambiguous: %d symbols are called %s", len(hits), name)
	}
	if hits[0].shaky {
		return Span{}, Unknown, fmt.Sprintf("%s is in %s, but where it ends is not certain", name, f.path)
	}
	return hits[0].span, Found, ""
}

// overloads says whether a declaration is of another function than d, which has
// the same name and a body: it has other parameters, or both stand in the class.
func (d def) overloads(other def) bool {
	return other.minor && (other.params != d.params || other.inClass && d.inClass)
}

// distinct drops definitions that are the same twice (typedef struct T {…} T).
func distinct(defs []def) []def {
	var kept []def
	for _, d := range defs {
		same := func(k def) bool {
			return k.span == d.span && k.minor == d.minor && slices.Equal(k.path, d.path) && d.span != (Span{})
		}
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, d)
		}
	}
	return kept
}

// none tells a name that is gone from one that cannot be judged.
func (f *File) none(parts []string, name string) (Span, Status, string) {
	last := parts[len(parts)-1]
	if outer := parts[:len(parts)-1]; len(outer) > 0 && len(f.last[last]) > 0 {
		if f.within(outer, last) || !f.holds(outer) && (f.endsIn(parts) || f.mentions(outer[len(outer)-1])) {
			return Span{}, Unknown, fmt.Sprintf("no symbol %s in %s, but %s may be the same", name, f.path, last)
		}
	}
	if line := f.hidden(last); line > 0 {
		return Span{}, Unknown, fmt.Sprintf(
			"line %d of %s names %s in a way that is not known to define it", line, f.path, last,
		)
	}
	return Span{}, Absent, fmt.Sprintf("no symbol %s in %s", name, f.path)
}

// holds says whether the file has a definition with these names in its path, so
// that what they hold is known.
func (f *File) holds(outer []string) bool {
	for _, d := range f.defs {
		for end := len(outer); end <= len(d.path); end++ {
			if slices.Equal(d.path[end-len(outer):end], outer) {
				return true
			}
		}
	}
	return false
}

// within says whether a definition of that name is inside outer, with others
// between.
func (f *File) within(outer []string, last string) bool {
	for _, at := range f.last[last] {
		left := outer
		for _, part := range f.defs[at].path {
			if len(left) > 0 && part == left[0] {
				left = left[1:]
			}
		}
		if len(left) == 0 {
			return true
		}
	}
	return false
}

// endsIn says whether a definition's full name ends a longer one: what leads
// there may say where the file once was.
func (f *File) endsIn(parts []string) bool {
	return slices.ContainsFunc(f.last[parts[len(parts)-1]], func(at int32) bool {
		from := len(parts) - len(f.defs[at].path)
		return from >= 0 && slices.Equal(parts[from:], f.defs[at].path)
	})
}

// isPlace says whether a qualifier only says where the file is.
func (f *File) isPlace(part string) bool {
	switch part {
	case "crate", "self", "super":
		return true
	}
	if slices.Contains(strings.Split(f.place, "."), part) {
		return true
	}
	base := path.Base(f.path)
	if strings.TrimSuffix(base, path.Ext(base)) == part {
		return true
	}
	return slices.Contains(strings.Split(path.Dir(f.path), "/"), part)
}
