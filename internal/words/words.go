// Package words turns text into the terms that full-text search stores and looks for.
//
// The databases are handed these terms ready-made, so that every one of them holds the same words.
package words

import (
	"strings"
	"unicode/utf8"
)

// Terms returns the terms of a text in the order of the text, for indexing. A term is made only of
// letters and digits (Unicode's L and Nd), in lower case, without diacritics, of at most MaxBytes bytes;
// of a longer word only the beginning is kept.
//
// English words are stemmed. Identifiers, versions and hyphenated words give the whole, unstemmed and
// without its joiners, and then their parts: foo-bar gives foobar, foo, bar. Writing without spaces
// (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) gives overlapping pairs of characters.
//
// The same text gives the same terms on every machine, in whichever Unicode normal form it comes.
func Terms(text string) []string {
	// a text gives rarely more bytes of terms than it has itself
	return split(AppendTerms(make([]byte, 0, len(text)+len(text)/8), text))
}

// AppendTerms appends the terms of a text to dst, each parted by one space from what stands before it,
// also from what was in dst already.
func AppendTerms(dst []byte, text string) []byte {
	return analyze(dst, text, false)
}

// Query returns the distinct terms to look for, in the order of their first appearance: those of Terms
// without the stop words of English, or with them when there is nothing else. Any text is a query;
// operators in it are words or nothing.
func Query(text string) []string {
	terms := split(analyze(nil, text, true))
	if len(terms) == 0 {
		terms = Terms(text)
	}
	seen := make(map[string]struct{}, len(terms))
	distinct := terms[:0]
	for _, t := range terms {
		if _, ok := seen[t]; !ok {
			seen[t] = struct{}{}
			distinct = append(distinct, t)
		}
	}
	return distinct
}

func split(terms []byte) []string {
	if len(terms) == 0 {
		return nil
	}
	return strings.Split(string(terms), " ")
}

func analyze(dst []byte, text string, drops bool) []byte {
	var fold [256]byte
	var cuts [16]cut
	a := analyzer{out: dst, fold: fold[:0], cuts: cuts[:0], drops: drops}
	for i := 0; i < len(text); {
		if end := plainWord(text, i); end > i {
			a.plain(text[i:end])
			i = end
			continue
		}
		switch k, size := classAt(text, i); k {
		case lower, upper, digit, letter:
			i = a.chunk(text, i)
		case spaceless:
			i = a.pairs(text, i)
		default:
			i += size
		}
	}
	return a.out
}

// plainWord returns the end of the word that begins at i if it is plain: ASCII letters, none but the
// first in upper case, and nothing behind that could join it to a next word. Otherwise it gives i.
// Most words are plain; chunk would make the same term of them, only slower.
func plainWord(text string, i int) int {
	if c := text[i]; c >= utf8.RuneSelf || ascii[c] != lower && ascii[c] != upper {
		return i
	}
	end := i + 1
	for end < len(text) && text[end]-'a' <= 'z'-'a' {
		end++
	}
	for k := end; k < len(text) && k < end+2; k++ {
		switch c := text[k]; {
		case c >= utf8.RuneSelf:
			return i
		case ascii[c] == separator:
			return end
		case k > end || ascii[c] != joiner && ascii[c] != apostrophe:
			return i
		}
	}
	return end
}
