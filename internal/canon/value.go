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

// object reads the members in the order they come. Names are compared with the
// one before only: as long as they grow, none can be repeated.
func (r *reader) object() error {
	r.take('{')
	if r.take('}') {
		return nil
	}
	base, sorted := len(r.members), true
	var last []byte
	for first := true; ; first = false {
		m := member{at: r.pos, start: len(r.out)}
		if r.peek() != '"' {
			return r.unexpected()
		}
		var err error
		if m.name, err = r.name(); err != nil {
			return err
		}
		if !first {
			switch c := compareNames(last, m.name); {
			case c == 0:
				return fail(m.at, ErrDuplicate)
			case c > 0 && r.exact:
				return fail(m.at, ErrNotCanonical)
			case c > 0:
				sorted = false
			}
		}
		last = m.name
		if !r.take(':') {
			return r.unexpected()
		}
		if err := r.value(); err != nil {
			return err
		}
		if !r.exact {
			m.end = len(r.out)
			r.members = append(r.members, m)
		}
		if r.take('}') {
			break
		}
		if !r.take(',') {
			return r.unexpected()
		}
	}
	if !sorted {
		if err := r.reorder(r.members[base:]); err != nil {
			return err
		}
	}
	if !r.exact {
		r.members = r.members[:base]
	}
	return nil
}
