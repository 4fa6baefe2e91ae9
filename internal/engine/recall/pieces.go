package recall

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/words"
)

// pieces parts a text at what matches terms of a query: what matches is every second piece. Nil is
// that nothing matches.
func pieces(text string, terms []string) []string {
	if len(terms) == 0 {
		return nil
	}
	out, from, hit := []string{}, 0, false
	cut := func(at, to int) {
		if len(out) > 0 && at == from { // directly behind the one before
			out[len(out)-1] += text[at:to]
		} else {
			out = append(out, text[from:at], text[at:to])
		}
		from, hit = to, true
	}
	for at := 0; at < len(text); {
		size := 0
		for size < len(text)-at {
			r, n := utf8.DecodeRuneInString(text[at+size:])
			if !inToken(r) {
				break
			}
			size += n
		}
		if size == 0 {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
			continue
		}
		token(text, at, at+size, terms, cut)
		at += size
	}
	if !hit {
		return nil
	}
	return append(out, text[from:])
}

// inToken reports whether a character belongs to a word.
func inToken(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '\'' ||
		r == '’')
}

// token cuts out a word that matches; of writing without spaces, each pair of characters that does.
func token(text string, from, to int, terms []string, cut func(at, to int)) {
	matches := func(s string) bool {
		return slices.ContainsFunc(words.Terms(s), func(t string) bool { return slices.Contains(terms, t) })
	}
	if word := text[from:to]; !spaceless(word) {
		if matches(word) {
			cut(from, to)
		}
		return
	}
	done := from
	for at := from; at < to; {
		_, n := utf8.DecodeRuneInString(text[at:])
		_, m := utf8.DecodeRuneInString(text[min(at+n, to):to])
		if end := at + n + m; matches(text[at:end]) && end > done {
			cut(max(at, done), end)
			done = end
		}
		at += n
	}
}

// spaceless reports whether a word has writing in which words are not parted.
func spaceless(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar) {
			return true
		}
	}
	return false
}
