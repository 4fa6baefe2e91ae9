package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class says what a character does to a word.
type class uint8

const (
	separator  class = iota // ends it
	lower                   // a letter
	upper                   // a letter that may begin a hump
	letter                  // a letter of a script without cases
	digit                   // a digit, or a number made of digits or letters (², Ⅷ)
	spaceless               // a letter of a script that is written without spaces
	ignorable               // stands in a word and is dropped: a mark, a soft hyphen
	apostrophe              // see chunk
	joiner                  // see chunk
)

var ascii = func() (t [utf8.RuneSelf]class) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		}
	}
	t['\''] = apostrophe
	for _, c := range "_-.:" {
		t[c] = joiner
	}
	return t
}()

// classAt returns the class of the character at i, and its length.
func classAt(text string, i int) (class, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r, text[i:i+size]), size
}

// next is classAt for the first character at or after i that is not ignorable; separator at the end.
func next(text string, i int) (k class, at, size int) {
	for i < len(text) {
		k, size := classAt(text, i)
		if k != ignorable {
			return k, i, size
		}
		i += size
	}
	return separator, i, 0
}

func (k class) inWord() bool { return lower <= k && k <= digit }

func classOf(r rune, bytes string) class {
	switch r {
	case '‘', '’', '´', 'ʻ', 'ʼ', '＇':
		return apostrophe
	case '\u2010', '\u2011': // hyphen, non-breaking hyphen
		return joiner
	case '\u200b': // zero width space: it parts words
		return separator
	case 'ـ', '\u115f', '\u1160', '\u3164', '\uffa0': // Arabic tatweel, Hangul fillers: letters without a meaning
		return ignorable
	}
	switch {
	case isSpaceless(r):
		return spaceless
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r):
		return upper
	case unicode.IsLetter(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.In(r, unicode.Mn, unicode.Mc, unicode.Me, unicode.Cf):
		return ignorable
	case unicode.IsNumber(r) && isSpelled(bytes):
		return digit
	}
	return separator
}

// isSpelled reports whether a number is compatible with digits or letters alone: ² and Ⅷ are, ½ is not.
func isSpelled(number string) bool {
	d := norm.NFKD.PropertiesString(number).Decomposition()
	for _, r := range string(d) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return len(d) > 0
}

// appendFolded appends a character of a word in lower case and without diacritics. It may append
// nothing, or more than one letter.
func appendFolded(dst []byte, char string) []byte {
	if c := char[0]; c < utf8.RuneSelf {
		if ascii[c] == upper {
			c |= 'a' - 'A'
		}
		return append(dst, c)
	}
	if d := norm.NFKD.PropertiesString(char).Decomposition(); d != nil {
		for len(d) > 0 {
			r, size := utf8.DecodeRune(d)
			dst = appendLower(dst, r)
			d = d[size:]
		}
		return dst
	}
	r, _ := utf8.DecodeRuneInString(char)
	return appendLower(dst, r)
}

func appendLower(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	switch r { // letters that Unicode does not take apart, but people who lack the key do
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'þ':
		return append(dst, "th"...)
	case 'ø':
		return append(dst, 'o')
	case 'ł':
		return append(dst, 'l')
	case 'đ', 'ð':
		return append(dst, 'd')
	case 'ı':
		return append(dst, 'i')
	case 'ς':
		r = 'σ'
	case 'ʼ': // out of ŉ
		return dst
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return utf8.AppendRune(dst, r)
	}
	return dst
}

// isSpaceless reports whether r is a letter of a script that is written without spaces, or Korean, whose
// endings grow on the words.
func isSpaceless(r rune) bool {
	switch {
	case r < '\u0e00': // the first of Thai
		return false
	case '一' <= r && r <= '\u9fff', '가' <= r && r <= '힣':
		return true
	case r == '〇', r == '〆', r == 'ー', r == 'ｰ', r == 'ﾞ', r == 'ﾟ': // of no script, or not letters to Unicode
		return true
	}
	return unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
