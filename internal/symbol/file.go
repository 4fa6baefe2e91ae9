package symbol

import "fmt"

// Status says whether a symbol was found.
type Status int

const (
	// Unknown is the answer whenever there is a doubt: the language is not known,
	// the file does not read, the name is ambiguous or stands where it might define
	// something. It is the zero value.
	Unknown Status = iota
	// Found comes with the span.
	Found
	// Absent means that the file reads well and does not define the symbol.
	Absent
)

func (s Status) String() string {
	switch s {
	case Found:
		return "found"
	case Absent:
		return "absent"
	}
	return "unknown"
}

// Span is a range of lines, the first line being 1, both ends included.
//
// It goes from the first line of a definition's own code, its modifiers,
// attributes and decorators included, to its last. The comment before it does
// not belong to it: a change of the comment alone must not flag a memory. In Go
// it begins at the keyword, and for one of a group at the spec.
type Span struct{ Start, End int }

// Symbol is a definition and its full name, outer names first: "Type.Method",
// in Rust and C++ "Type::method".
type Symbol struct {
	Name string
	Span
}

// maxSize is the largest file that is read.
const maxSize = 4 << 20

// File is a parsed source file. It does not change and keeps src, which the
// caller must not change either.
type File struct {
	path string
	lang *language
	why  string // nothing can be said about the file, because
	defs []def
	last map[string][]int32 // defs by the last of their names
	// place is the full name of the package the file says it belongs to.
	place string
	// hidden returns the line where a name that no def has might be defined all the
	// same, or 0.
	hidden func(name string) int
	// mentions says whether code, not text or comments, uses the name at all.
	mentions func(name string) bool
}

// A def is one definition, or a declaration of what is defined elsewhere.
type def struct {
	path  []string // outer names first
	span  Span
	minor bool // declares only: counts when nothing defines the name
	shaky bool // the name is certain, the span is not

	params  string // of C++: what tells overloads apart
	inClass bool
}

type language struct {
	name      string
	separator string
	read      func(f *File, src []byte)
}

// unread says that the file does not read as its language.
func (f *File) unread(line int, what string) {
	f.defs = nil
	f.why = fmt.Sprintf("%s does not read as %s: line %d: %s", f.path, f.lang.name, line, what)
}
