package secrets

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// A view is a text as a person reads it: without the colours of a terminal and without signs that take up no
// room, with ordinary signs where the text has wide ones, and with signs that JSON or an address wrote with
// escapes. Each byte of it knows where it is in the text.
type view struct {
	of   []byte
	text []byte
	at   []int
}

// viewOf returns nil where a text is read as it is written.
func viewOf(text []byte) *view {
	first := odd(text)
	if first == len(text) {
		return nil
	}
	first = max(0, first-nameLong) // wide blanks before it are read as blanks too
	v := &view{of: text, text: make([]byte, first, len(text)), at: make([]int, first, len(text))}
	copy(v.text, text)
	for i := range first {
		v.at[i] = i
	}
	for i := first; i < len(text); {
		n, c := seen(text, i)
		if c != 0 || n == 0 {
			if n == 0 {
				n, c = 1, text[i]
			}
			v.text, v.at = append(v.text, c), append(v.at, i)
		}
		i += n
	}
	return v
}

// back returns findings as they are in the text.
func (v *view) back(found []Finding) []Finding {
	for i := range found {
		f := &found[i]
		last := v.at[f.End-1]
		n, _ := seen(v.of, last)
		f.Start, f.End = v.at[f.Start], last+max(1, n)
	}
	return found
}

// oddFirst are the first bytes of what is read in another way than it is written.
var oddFirst = []byte{0x1b, '\\', '%', 0xc2, 0xe2, 0xef}

// odd is where the first of them is, or the end of the text.
func odd(text []byte) int {
	first := len(text)
	for _, c := range oddFirst {
		for i := 0; i < first; i++ {
			n := bytes.IndexByte(text[i:first], c)
			if n < 0 {
				break
			}
			i += n
			if size, as := seen(text, i); size > 0 && !tamePunctuation(as, size) {
				first = i
			}
		}
	}
	return first
}

// tamePunctuation says that a sign ends sentences in Chinese and Japanese, which alone is no reason to
// read a text in another way.
func tamePunctuation(as byte, size int) bool {
	return size == 3 && (as == ',' || as == '.' || as == '!' || as == '?' || as == ';' || as == '(' || as == ')')
}

// seen reads the sign at text[i]: how long it is, and the byte that it is read as, 0 for nothing. A size
// of 0 says that the byte is what it is.
func seen(text []byte, i int) (size int, as byte) {
	switch text[i] {
	case 0x1b:
		return colour(text, i, i+1), 0
	case '\\':
		return escaped(text, i)
	case '%':
		return percent(text, i)
	case 0xc2, 0xe2, 0xe3, 0xef:
		r, n := utf8.DecodeRune(text[i:min(len(text), i+utf8.UTFMax)])
		if as, ok := plain(r); ok {
			return n, as
		}
	}
	return 0, 0
}

// plain is the byte that a rune is read as, 0 for nothing.
func plain(r rune) (as byte, ok bool) {
	switch {
	case r >= 0xff01 && r <= 0xff5e: // wide signs
		return byte(r - 0xff01 + '!'), true
	case r == 0xa0, r == 0x202f, r == 0x2007, r == 0x3000:
		return ' ', true
	case r == 0x3001:
		return ',', true
	case r == 0x3002:
		return '.', true
	case unseen(r):
		return 0, true
	}
	return 0, false
}

// unseen says that a rune takes up no room: it joins, separates or turns what is around it.
func unseen(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	}
	return false
}

// longestColour is how long an order to a terminal may be, in bytes.
const longestColour = 32

// colour is the length of an order to a terminal: from start, where the escape is, its rest at at.
func colour(text []byte, start, at int) int {
	if at >= len(text) {
		return 0
	}
	switch c := text[at]; {
	case c == '(' || c == ')':
		return min(len(text), at+2) - start
	case c != '[':
		return 0
	}
	end := run(text[:min(len(text), at+longestColour)], at+1, func(c byte) bool { return c >= ' ' && c < '@' })
	if end == len(text) || text[end] < '@' || text[end] > '~' {
		return 0
	}
	return end + 1 - start
}

const jsonRune = len(`\u0000`)

// escaped reads an escape of JSON, or one that a shell or a program writes for a colour.
func escaped(text []byte, i int) (size int, as byte) {
	rest := text[i:min(len(text), i+jsonRune)]
	if len(rest) < 4 {
		return 0, 0
	}
	if string(rest[1:4]) == "033" || (rest[1] == 'x' && rest[2] == '1' && folded(rest[3]) == 'b') {
		return colour(text, i, i+4), 0
	}
	if len(rest) < jsonRune || rest[1] != 'u' {
		return 0, 0
	}
	n, err := strconv.ParseUint(string(rest[2:]), 16, 16)
	switch r := rune(n); {
	case err != nil:
		return 0, 0
	case r == 0x1b:
		return colour(text, i, i+jsonRune), 0
	case r == '&' || r == '=' || r == '\'' || r == '<' || r == '>' || r == '+':
		return jsonRune, byte(r)
	default:
		if as, ok := plain(r); ok {
			return jsonRune, as
		}
	}
	return 0, 0
}

// percent reads the signs between names and values as an address writes them.
func percent(text []byte, i int) (size int, as byte) {
	if len(text)-i < 3 {
		return 0, 0
	}
	switch hex := [2]byte{text[i+1], folded(text[i+2])}; hex {
	case [2]byte{'3', 'd'}:
		return 3, '='
	case [2]byte{'3', 'a'}:
		return 3, ':'
	case [2]byte{'2', '6'}:
		return 3, '&'
	}
	return 0, 0
}
