package quoting

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A word is one of a text, or a sign that a meaning hangs on, as the % of 30%.
type word struct {
	text     string // folded: small letters, one apostrophe
	from, to int
	weight   int // 2 of a word, 1 of a character of writing without spaces, 0 of a sign
	number   bool
}

// wordsOf returns the words of a text. Marks of Markdown, quotation marks and full stops are none; signs of numbers,
// of money and of comparison are.
func wordsOf(text string) []word {
	out := make([]word, 0, len(text)/6+1)
	var before rune // the character before, 0 at the beginning
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case spaceless(r):
			out = append(out, word{text: string(r), from: i, to: i + n, weight: 1})
		case inWord(r):
			to := wordEnd(text, i)
			w := word{text: folded(text[i:to]), from: i, to: to, weight: 2, number: unicode.IsDigit(r)}
			if w.text != "" {
				out = append(out, w)
			}
			r, _ = utf8.DecodeLastRuneInString(text[i:to])
			n = to - i
		case sign(r, before, text[i+n:]):
			out = append(out, word{text: string(r), from: i, to: i + n})
		}
		i += n
		before = r
	}
	return out
}

// spaceless reports whether a character is of a script that has no spaces between words.
func spaceless(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '＇' }

// wordEnd returns where a word ends. An apostrophe between letters is within it, as a point or comma between digits.
func wordEnd(text string, from int) int {
	at := from
	var last rune
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.Is(unicode.Cf, r): // cannot be seen
		case inWord(r) && !spaceless(r):
			last = r
		case at > from && (apostrophe(r) && unicode.IsLetter(last) || (r == '.' || r == ',') && unicode.IsDigit(last)):
			next, _ := utf8.DecodeRuneInString(text[at+n:])
			if spaceless(next) || apostrophe(r) && !unicode.IsLetter(next) || !apostrophe(r) && !unicode.IsDigit(next) {
				return at
			}
		default:
			return at
		}
		at += n
	}
	return at
}

// folded is a word without case, with one apostrophe, and without what cannot be seen.
func folded(text string) string {
	plain := true
	for _, r := range text {
		if plain = r < utf8.RuneSelf && !unicode.IsUpper(r); !plain {
			break
		}
	}
	if plain {
		return text
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case apostrophe(r):
			return '\''
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFC.String(text)))
}

// sign reports whether a meaning hangs on a character that is no letter: the % of 30%, the + of C++, the < between two
// numbers, the - before one. A mark of Markdown at the beginning of a line is none.
func sign(r, before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	tight := inWord(before)
	switch r {
	case '%', '‰', '°':
		return tight || before == ' '
	case '+', '#':
		return tight || before == r
	case '-', '−':
		return !tight && unicode.IsDigit(next)
	case '<', '>':
		return before != 0 && before != '\n' && before != r && (next == ' ' || next == '=' || unicode.IsDigit(next))
	case '=', '≠', '≤', '≥', '±', '≈', '¬':
		return before != 0 && before != '\n' && next != r
	case '!':
		return next == '=' || unicode.IsLetter(next)
	case '$', '€', '£', '¥':
		return true
	}
	return false
}

// parts reports whether what stands between two words parts them: anything but blanks and marks of Markdown.
func parts(between string) bool {
	lines := 0
	for i, r := range between {
		switch {
		case r == '\n':
			if lines++; lines > 1 {
				return true
			}
		case unicode.IsSpace(r), r == '*', r == '_', r == '`', r == '~', apostrophe(r), unicode.Is(unicode.Cf, r):
		case r == '-' || r == '/' || r == '\\':
			if i > 0 && between[i-1] == ' ' { // a dash
				return true
			}
		default:
			return true
		}
	}
	return false
}
