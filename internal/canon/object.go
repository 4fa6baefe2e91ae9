package canon

import (
	"bytes"
	"slices"
)

// usualMembers is about what a record has, with those of its objects.
const usualMembers = 24

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

// reorder sorts the members of the object that ends r.out and writes it again.
func (r *reader) reorder(members []member) error {
	begin := members[0].start
	slices.SortFunc(members, func(a, b member) int { return compareNames(a.name, b.name) })
	for i := 1; i < len(members); i++ {
		if bytes.Equal(members[i-1].name, members[i].name) {
			return fail(max(members[i-1].at, members[i].at), ErrDuplicate)
		}
	}
	if r.spare == nil {
		r.spare = make([]byte, 0, len(r.raw))
	}
	r.spare = append(r.spare[:0], r.out[begin:]...)
	r.out = r.out[:begin]
	for i, m := range members {
		if i > 0 {
			r.out = append(r.out, ',')
		}
		r.out = append(r.out, r.spare[m.start-begin:m.end-begin]...)
	}
	r.out = append(r.out, '}')
	return nil
}

// compareNames orders valid UTF-8 by its UTF-16 code units, as RFC 8785 asks.
// That is the order of the bytes, with one exception: what UTF-16 spells with
// surrogates (four bytes, the first from 0xF0) goes before U+E000 to U+FFFF
// (three bytes, the first 0xEE or 0xEF).
func compareNames(a, b []byte) int {
	const firstAfterSurrogates, firstOfFour = 0xEE, 0xF0
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return len(a) - len(b)
	}
	x, y := a[i], b[i]
	if x >= firstAfterSurrogates && y >= firstAfterSurrogates && (x >= firstOfFour) != (y >= firstOfFour) {
		x, y = y, x
	}
	return int(x) - int(y)
}
