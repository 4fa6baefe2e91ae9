package anamnesis

import (
	"bytes"
	"strconv"
	"strings"
)

const (
	// maxInteger is the greatest integer that every reader of JSON holds.
	maxInteger = 1<<53 - 1
	// maxDigits is how many digits maxInteger has.
	maxDigits = 16
	// maxExponent is how many digits of an exponent are looked at; JSON that says
	// more of a number that is not 0 was refused before, or is out of range.
	maxExponent = 6
)

// decimal reads a number of JSON exactly and gives it times 10 to the power of
// places: of 0.85 and 3 places, 850. It is false if the number has more decimals,
// other than zeros, or is beyond maxInteger.
func decimal(literal string, places int) (n int64, ok bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := places - len(fraction)
	trimmed := strings.TrimRight(digits, "0")
	shift += len(digits) - len(trimmed)
	if trimmed == "" {
		return 0, true
	}
	if exponent != "" {
		if len(exponent) > maxExponent {
			return 0, false
		}
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return 0, false
		}
		shift += e
	}
	if shift < 0 || len(trimmed)+shift > maxDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(trimmed+strings.Repeat("0", shift), 10, 64)
	if err != nil || n > maxInteger {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// thousandth is how many thousandths one is.
const thousandth = 1000

// fraction spells n parts of whole, such as 850 of 1000, without zeros at the end.
func fraction(n, whole int) string {
	return strconv.FormatFloat(float64(n)/float64(whole), 'f', -1, 64)
}

// nesting follows JSON byte by byte: how deep it is, and whether in a string. It
// does not check what it reads.
type nesting struct {
	depth    int
	inString bool
	escaped  bool
}

func (s *nesting) step(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inString && c == '\\':
		s.escaped = true
	case c == '"':
		s.inString = !s.inString
	case s.inString:
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
	}
}

// deepest returns how many arrays and objects are open at once in raw.
func deepest(raw []byte) int {
	var s nesting
	most := 0
	for _, c := range raw {
		s.step(c)
		most = max(most, s.depth)
	}
	return most
}

// notNumbers are what programs write into JSON for numbers that JSON lacks.
var notNumbers = [][]byte{[]byte("NaN"), []byte("Infinity"), []byte("-Infinity")}

// notANumber finds the first of them and the member it is the value of.
func notANumber(raw []byte) (member, literal string, ok bool) {
	var s nesting
	begin := 0 // of the last string
	for i, c := range raw {
		was := s.inString
		s.step(c)
		switch {
		case s.inString && !was:
			begin = i + 1
		case was && !s.inString:
			member = string(raw[begin:i])
		case !was:
			for _, word := range notNumbers {
				if bytes.HasPrefix(raw[i:], word) {
					return plain(member), string(word), true
				}
			}
		}
	}
	return "", "", false
}

// plain returns a name of a member to stand in an error: what JSON that is not
// valid has between quotes may be anything.
func plain(name string) string {
	odd := func(c rune) bool {
		return c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
	}
	if name == "" || len(name) > maxShown || strings.ContainsFunc(name, odd) {
		return "document"
	}
	return name
}
