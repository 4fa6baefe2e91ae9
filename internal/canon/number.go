package canon

import (
	"bytes"
	"math"
	"strconv"
)

const (
	// maxInteger is the largest integer that no other shares a double with.
	maxInteger = 1<<53 - 1
	// maxIntegerDigits is how many digits maxInteger has.
	maxIntegerDigits = 16
	// ECMAScript writes numbers from smallestPlain on, and below
	// exponentFrom, without an exponent.
	smallestPlain = 1e-6
	exponentFrom  = 1e21
)

// number reads a number and writes it as ECMAScript would. The limit on integers
// is kept in both directions: 1e20 would be written as an integer that could
// not be read again, so it is refused as that integer is.
func (r *reader) number() error {
	begin := r.pos
	integer, err := r.scanNumber()
	if err != nil {
		return err
	}
	literal := r.raw[begin:r.pos]
	if integer {
		if !inIntegerRange(literal) {
			return fail(begin, ErrNumber)
		}
		if string(literal) != "-0" {
			if !r.exact {
				r.out = append(r.out, literal...)
			}
			return nil
		}
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil {
		return fail(begin, ErrNumber)
	}
	if abs := math.Abs(f); abs > maxInteger && abs < exponentFrom {
		return fail(begin, ErrNumber)
	}
	if !r.exact {
		r.out = appendNumber(r.out, f)
		return nil
	}
	var room [32]byte
	if !bytes.Equal(appendNumber(room[:0], f), literal) {
		return fail(begin, ErrNotCanonical)
	}
	return nil
}

// scanNumber moves past a number and reports whether it was spelled as an integer.
func (r *reader) scanNumber() (integer bool, err error) {
	if r.peek() == '-' {
		r.pos++
	}
	if r.peek() == '0' {
		r.pos++
	} else if !r.digits() {
		return false, fail(r.pos, ErrSyntax)
	}
	integer = true
	if r.peek() == '.' {
		integer = false
		r.pos++
		if !r.digits() {
			return false, fail(r.pos, ErrSyntax)
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		integer = false
		r.pos++
		if c := r.peek(); c == '+' || c == '-' {
			r.pos++
		}
		if !r.digits() {
			return false, fail(r.pos, ErrSyntax)
		}
	}
	return integer, nil
}

// digits moves past digits and reports whether there were any.
func (r *reader) digits() bool {
	begin := r.pos
	for isDigit(r.peek()) {
		r.pos++
	}
	return r.pos > begin
}

// inIntegerRange reports whether an integer is one that a double holds for sure.
func inIntegerRange(literal []byte) bool {
	digits := bytes.TrimPrefix(literal, []byte("-"))
	if len(digits) > maxIntegerDigits {
		return false // no leading zeros, so it is longer because it is larger
	}
	var n uint64
	for _, c := range digits {
		n = n*10 + uint64(c-'0')
	}
	return n <= maxInteger
}

// appendNumber writes a finite number as ECMAScript does: the shortest digits
// that read back as the same double, minus zero as zero.
func appendNumber(b []byte, f float64) []byte {
	if f == 0 {
		return append(b, '0')
	}
	if abs := math.Abs(f); smallestPlain <= abs && abs < exponentFrom {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// Go writes exponents with two digits at least: 1e-07, which is to be 1e-7.
	if n := len(b); b[n-3] == '-' && b[n-2] == '0' {
		b = append(b[:n-2], b[n-1])
	}
	return b
}
