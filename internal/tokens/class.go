package tokens

import (
	_ "embed"
	"iter"
	"strings"
	"unicode/utf8"
)

// A class is what the vocabularies' patterns tell characters apart by.
type class byte

const (
	other   class = iota // all that is below nothing else: punctuation, symbols, control characters
	space                // white space but line ends
	lineEnd              // \r and \n
	number               // \p{N}
	upper                // \p{Lu}, \p{Lt}
	lower                // \p{Ll}
	both                 // \p{Lm}, \p{Lo}: letters without case, which go with either
	mark                 // \p{M}
)

func (c class) blank() bool  { return c == space || c == lineEnd }
func (c class) letter() bool { return c == upper || c == lower || c == both }

// classes has the classes of all characters: for each 256 of them the number of a block, then the blocks. The
// lower four bits of a byte are the class in the Unicode of Go, the higher four in the newer one of tiktoken.
//
//go:embed classes.bin
var classes string

const rows = (utf8.MaxRune + 1) >> 8

// both classes of a character, one in each half of the byte.
func classesOf(r rune) byte {
	return classes[rows+int(classes[r>>8])<<8+int(r&0xff)]
}

// A reading is a text with the version of Unicode it is read by.
type reading struct {
	text  string
	shift uint // of the class in its byte
}

// at returns the class of the character that begins at i and its length. At the end of the text that is
// other and 0.
func (v reading) at(i int) (class, int) {
	if i >= len(v.text) {
		return other, 0
	}
	if c := v.text[i]; c < utf8.RuneSelf {
		return class(classes[rows+int(c)] & 0xf), 1
	}
	r, n := utf8.DecodeRuneInString(v.text[i:])
	return class(classesOf(r) >> v.shift & 0xf), n
}

// readings yields every way to read a text that some program may have; nearly always it is one.
func readings(s string) iter.Seq[reading] {
	return func(yield func(reading) bool) {
		newer, broken := odd(s)
		if !yield(reading{s, 0}) || newer && !yield(reading{s, 4}) || !broken {
			return
		}
		s = replaced(s)
		if yield(reading{s, 0}) && newer {
			yield(reading{s, 4})
		}
	}
}

// odd reports whether a text has characters whose class depends on the version of Unicode, and bytes that
// are no UTF-8.
func odd(s string) (newer, broken bool) {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			broken = true
		}
		c := classesOf(r)
		newer = newer || c>>4 != c&0xf
		i += n
	}
	return newer, broken
}

// replaced returns a text with U+FFFD for each byte that is no UTF-8.
func replaced(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}
