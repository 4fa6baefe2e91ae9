package canon

import "fmt"

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

func (r *reader) document() error {
	r.space()
	if err := r.value(); err != nil {
		return err
	}
	r.space()
	if r.pos != len(r.raw) {
		return r.unexpected()
	}
	return nil
}

func (r *reader) value() error {
	switch c := r.peek(); c {
	case '{', '[':
		return r.nested(c)
	case '"':
		_, err := r.text()
		return err
	case 't':
		return r.word("true")
	case 'f':
		return r.word("false")
	case 'n':
		return r.word("null")
	default:
		if c == '-' || isDigit(c) {
			return r.number()
		}
		return r.unexpected()
	}
}

// nested reads the object or array that begins with c, if it may nest here.
func (r *reader) nested(c byte) (err error) {
	if r.depth == MaxDepth {
		return fail(r.pos, ErrDepth)
	}
	r.depth++
	if c == '{' {
		err = r.object()
	} else {
		err = r.array()
	}
	r.depth--
	return err
}

func (r *reader) word(w string) error {
	end := r.pos + len(w)
	if end > len(r.raw) || string(r.raw[r.pos:end]) != w {
		return fail(r.pos, ErrSyntax)
	}
	r.pos = end
	if !r.exact {
		r.out = append(r.out, w...)
	}
	return nil
}

func (r *reader) array() error {
	r.take('[')
	if r.take(']') {
		return nil
	}
	for {
		if err := r.value(); err != nil {
			return err
		}
		if r.take(']') {
			return nil
		}
		if !r.take(',') {
			return r.unexpected()
		}
	}
}
