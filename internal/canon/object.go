package canon

import (
	"bytes"
	"slices"
)

// usualMembers is about what a record has, with those of its objects.
const usualMembers = 24

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
