package canon

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
