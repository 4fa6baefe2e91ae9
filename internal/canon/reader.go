package canon

import "fmt"

// member is one member of an open object.
type member struct {
	name       []byte // unescaped
	at         int    // where the name begins in what is read
	start, end int    // its canonical text in reader.out, without a comma
}

// reader walks one JSON text. There is a single grammar for Transform and
// Check, so that they cannot disagree about what JSON is.
type reader struct {
	raw   []byte
	pos   int
	depth int

	// exact is set by Check: nothing is written, and whatever would be written
	// differently from how it was read is refused.
	exact bool

	// out is the canonical text so far. It may hold members in the order they
	// came in until their object ends.
	out     []byte
	members []member // of all the objects still open, the innermost last
	spare   []byte   // one object's text while it is put in order
}

// fail wraps one of the package's errors with the place it was noticed at.
func fail(at int, err error) error {
	return fmt.Errorf("json at byte %d: %w", at, err)
}

// unexpected is the error for a byte that the grammar does not allow here.
func (r *reader) unexpected() error {
	if r.exact && isSpace(r.peek()) {
		return fail(r.pos, ErrNotCanonical)
	}
	return fail(r.pos, ErrSyntax)
}

// peek returns the next byte, or 0, which no rule of the grammar begins with.
func (r *reader) peek() byte {
	if r.pos < len(r.raw) {
		return r.raw[r.pos]
	}
	return 0
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t')
}

// space skips white space, which exact reading leaves to be unexpected.
func (r *reader) space() {
	for !r.exact && isSpace(r.peek()) {
		r.pos++
	}
}

// take reads the byte c, with white space around it, and writes it.
func (r *reader) take(c byte) bool {
	r.space()
	if r.peek() != c {
		return false
	}
	r.pos++
	r.put(c)
	r.space()
	return true
}

func (r *reader) put(c byte) {
	if !r.exact {
		r.out = append(r.out, c)
	}
}

func isDigit(c byte) bool {
	return '0' <= c && c <= '9'
}
