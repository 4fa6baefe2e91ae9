// Package probes finds words again without keeping them. What is to be found is kept as salted hashes of spans of six
// words and of single words that say much; texts, files and tables are then read through a Search. It also finds the
// names of people in texts.
package probes

import (
	"unicode"
	"unicode/utf8"
)

// Span is how many words one after the other make a span.
const Span = 6

// A tokens takes texts apart into words and hashes them. A word is a run of letters, marks and digits, without regard
// to its case. What is no letter only ends a word, so words are the same in a text, in JSON and among other bytes.
type tokens struct {
	salt  uint64
	json  bool // a backslash begins an escape
	state int  // 0, or how far an escape is: 1 behind the backslash, 2 to 5 in its digits
	code  rune
	rest  [utf8.UTFMax]byte // the beginning of a letter
	held  int

	hash    uint64
	letters int
	digits  int
	in      bool
	word    func(hash uint64, letters, digits int)
}

const (
	fnvBasis = 14695981039346656037
	fnvPrime = 1099511628211
)

func (t *tokens) letter(r rune) {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z':
			t.letters++
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
			t.letters++
		case '0' <= r && r <= '9':
			t.digits++
		default:
			t.end()
			return
		}
	case r == utf8.RuneError:
		t.end()
		return
	case unicode.IsLetter(r), unicode.IsMark(r):
		r = unicode.ToLower(r)
		t.letters++
	case unicode.IsDigit(r):
		t.digits++
	default:
		t.end()
		return
	}
	if !t.in {
		t.in, t.hash = true, fnvBasis^t.salt
	}
	t.hash = (t.hash ^ uint64(r)) * fnvPrime
}

// end ends a word.
func (t *tokens) end() {
	if !t.in {
		return
	}
	t.word(mix(t.hash), t.letters, t.digits)
	t.in, t.letters, t.digits = false, 0, 0
}

// mix spreads what FNV leaves in the low bits.
func mix(h uint64) uint64 {
	h ^= h >> 31
	h *= 0x7fb5d329728ea185
	h ^= h >> 27
	return h
}

func (t *tokens) write(p []byte) {
	for len(p) > 0 {
		if t.held > 0 { // a letter that began in the part before
			n := copy(t.rest[t.held:], p)
			if !utf8.FullRune(t.rest[:t.held+n]) {
				t.held += n
				return
			}
			r, size := utf8.DecodeRune(t.rest[:t.held+n])
			p = p[max(size-t.held, 0):]
			t.held = 0
			t.read(r)
			continue
		}
		if p[0] < utf8.RuneSelf {
			t.read(rune(p[0]))
			p = p[1:]
			continue
		}
		if !utf8.FullRune(p) {
			t.held = copy(t.rest[:], p)
			return
		}
		r, size := utf8.DecodeRune(p)
		t.read(r)
		p = p[size:]
	}
}

// read takes one letter, or what stands for one in JSON.
func (t *tokens) read(r rune) {
	const digits = 4
	switch {
	case t.state == 0 && r == '\\' && t.json:
		t.state = 1
	case t.state == 0:
		t.letter(r)
	case t.state == 1 && r == 'u':
		t.state, t.code = 2, 0
	case t.state == 1:
		t.state = 0
		t.end() // a line, a tab, a quotation mark: none is part of a word
	default:
		d := hex(r)
		if d < 0 { // it was no escape
			t.state = 0
			t.end()
			t.letter(r)
			return
		}
		t.code = t.code<<4 | rune(d)
		if t.state++; t.state == 2+digits {
			t.state = 0
			t.letter(t.code)
		}
	}
}

func hex(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case 'a' <= r && r <= 'f':
		return int(r-'a') + 10
	case 'A' <= r && r <= 'F':
		return int(r-'A') + 10
	}
	return -1
}

// over ends a text.
func (t *tokens) over() {
	t.held, t.state = 0, 0
	t.end()
}
