package canon

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// firstPrintable is the first byte that a string may hold unescaped.
const firstPrintable = 0x20

// escapeSize is the length of an escape by number, such as \u00e9.
const escapeSize = len(`\uXXXX`)

// name reads a string and returns what it says, unescaped. What is returned is
// only good as long as raw is not changed.
func (r *reader) name() ([]byte, error) {
	begin := r.pos + 1
	escaped, err := r.text()
	if err != nil {
		return nil, err
	}
	inside := r.raw[begin : r.pos-1]
	if escaped {
		return unescape(inside), nil
	}
	return inside, nil
}

// text reads a string, writes it in canonical form and reports whether there are
// escapes in it.
func (r *reader) text() (escaped bool, err error) {
	done := r.pos // what is before has been written
	i := r.pos + 1
	for {
		i = skipPlain(r.raw, i)
		if i == len(r.raw) {
			return false, fail(i, ErrSyntax)
		}
		switch c := r.raw[i]; {
		case c == '"':
			r.pos = i + 1
			if !r.exact {
				r.out = append(r.out, r.raw[done:r.pos]...)
			}
			return escaped, nil
		case c == '\\':
			char, size, err := readEscape(r.raw, i)
			if err != nil {
				return false, err
			}
			if r.exact {
				var room [escapeSize]byte
				if want := appendChar(room[:0], char); !bytes.Equal(r.raw[i:i+size], want) {
					return false, fail(i, ErrNotCanonical)
				}
			} else {
				r.out = append(r.out, r.raw[done:i]...)
				r.out = appendChar(r.out, char)
			}
			escaped = true
			i += size
			done = i
		case c < firstPrintable:
			return false, fail(i, ErrSyntax)
		default:
			_, size := utf8.DecodeRune(r.raw[i:])
			if size == 1 {
				return false, fail(i, ErrUTF8)
			}
			i += size
		}
	}
}

// skipPlain returns the first index from i on whose byte is not printable ASCII
// that stands for itself in a string: a quote, a backslash, a control character
// or the beginning of a longer character. It looks at eight bytes at a time.
func skipPlain(raw []byte, i int) int {
	const (
		each  = 0x0101010101010101 // times a byte: that byte in all eight
		highs = 0x80 * each
	)
	for ; i+8 <= len(raw); i += 8 {
		w := binary.LittleEndian.Uint64(raw[i:])
		quote, slash := w^('"'*each), w^('\\'*each)
		// The high bit of a byte of (x - n*each) &^ x is set where the byte is
		// below n. A borrow can set it falsely, but only above one that is right.
		special := (quote-each)&^quote | (slash-each)&^slash | (w-firstPrintable*each)&^w | w
		if special &= highs; special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(raw) && raw[i] >= firstPrintable && raw[i] != '"' && raw[i] != '\\' && raw[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// readEscape returns the character that the escape at raw[i] stands for and the
// number of bytes it takes, both halves of a surrogate pair together.
func readEscape(raw []byte, i int) (char rune, size int, err error) {
	if i+1 == len(raw) {
		return 0, 0, fail(i+1, ErrSyntax)
	}
	switch c := raw[i+1]; c {
	case '"', '\\', '/':
		return rune(c), 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
		char, ok := readHex(raw, i)
		if !ok {
			return 0, 0, fail(i, ErrSyntax)
		}
		if !utf16.IsSurrogate(char) {
			return char, escapeSize, nil
		}
		low, _ := readHex(raw, i+escapeSize)
		if char = utf16.DecodeRune(char, low); char == utf8.RuneError {
			return 0, 0, fail(i, ErrUTF8)
		}
		return char, 2 * escapeSize, nil
	default:
		return 0, 0, fail(i, ErrSyntax)
	}
}

// readHex reads the escape by number at raw[i], if there is one.
func readHex(raw []byte, i int) (rune, bool) {
	if i+escapeSize > len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
		return 0, false
	}
	var char rune
	for _, c := range raw[i+2 : i+escapeSize] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		char = char<<4 | rune(c)
	}
	return char, true
}

// appendChar writes one character as RFC 8785 does within a string.
func appendChar(b []byte, char rune) []byte {
	const hex = "0123456789abcdef"
	switch char {
	case '"', '\\':
		return append(b, '\\', byte(char))
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	if char < firstPrintable {
		return append(b, '\\', 'u', '0', '0', hex[char>>4], hex[char&0xF])
	}
	return utf8.AppendRune(b, char)
}

// unescape returns what the inside of a string says. Its escapes have been read
// once without error.
func unescape(inside []byte) []byte {
	said := make([]byte, 0, len(inside))
	for i := 0; i < len(inside); {
		if inside[i] != '\\' {
			said = append(said, inside[i])
			i++
			continue
		}
		char, size, _ := readEscape(inside, i)
		said = utf8.AppendRune(said, char)
		i += size
	}
	return said
}
