package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A segment is a run of prose between two ends of a line that end a sentence.
type segment struct {
	text     string
	from, to int
	small    bool // it begins with a small letter, so its sentences may

	// the languages about one place, which the next stops share
	bucket int
	langs  lang
}

// token returns the word that a dot follows, without what opens before it.
func (s *segment) token(begin, at int) string {
	from := at
	for from > begin && at-from < mostToken {
		r, size := utf8.DecodeLastRuneInString(s.text[begin:from])
		if unicode.IsSpace(r) {
			break
		}
		from -= size
	}
	return strings.TrimLeftFunc(s.text[from:at], opens)
}

// mostToken is how many bytes of a word are looked at; no abbreviation is longer.
const mostToken = 40

// word returns the letters and digits at a place.
func (s *segment) word(at int) string {
	rest := s.text[at:min(s.to, at+mostToken)]
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func digitBefore(s string) bool { return len(s) > 1 && '0' <= s[len(s)-2] && s[len(s)-2] <= '9' }

// letterOf returns the letter that a word consists of; 0 for any other word, and for a sign that is a word.
func letterOf(token string) rune {
	r, size := utf8.DecodeRuneInString(token)
	if size == 0 || size != len(token) || !unicode.IsLetter(r) ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
		return 0
	}
	return r
}

// opens reports whether a sentence may begin behind a character.
func opens(r rune) bool {
	switch r {
	case '"', '\'', '(', '[', '{', '*', '_', '~', '>', '¿', '¡', '“', '”', '‘', '’', '«', '»', '‹', '›', '„', '‚':
		return true
	}
	return r >= utf8.RuneSelf && (unicode.Is(unicode.Ps, r) || unicode.Is(unicode.Pi, r))
}

// Languages are told for so many bytes at once, with those around them.
const (
	bucketBytes = 256
	aroundBytes = 128
)

// languages returns which languages the words about a place are of: one, or all that have the same claim.
func (s *segment) languages(at int) lang {
	if b := (at - s.from) / bucketBytes; b != s.bucket {
		s.bucket = b
		from := max(s.from, s.from+b*bucketBytes-aroundBytes)
		to := min(s.to, s.from+(b+1)*bucketBytes+aroundBytes)
		s.langs = languagesOf(s.text[from:to])
	}
	return s.langs
}
