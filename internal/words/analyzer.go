package words

import "unicode/utf8"

// MaxBytes is the length of the longest term.
const MaxBytes = 64

// analyzer reads a text once and appends its terms to out.
type analyzer struct {
	out   []byte
	fold  []byte // the chunk or run being read, folded
	cuts  []cut  // where the chunk comes apart
	drops bool   // stop words are left out
}

func (a *analyzer) plain(word string) {
	a.part()
	start := len(a.out)
	a.out = append(a.out, word...)
	a.out[start] |= 'a' - 'A'
	a.stem(start)
}

// whole appends an identifier as one term, as it is.
func (a *analyzer) whole(word []byte) {
	if word = clip(word); len(word) > 0 {
		a.part()
		a.out = append(a.out, word...)
	}
}

// word appends a folded word, stemmed if it is an English one.
func (a *analyzer) word(word []byte) {
	start := len(a.out)
	if a.whole(word); start == len(a.out) {
		return
	}
	if start > 0 && a.out[start] == ' ' {
		start++
	}
	for _, c := range a.out[start:] {
		if c-'a' > 'z'-'a' {
			return
		}
	}
	a.stem(start)
}

// stem puts the stem in the place of the word that is the end of out, or nothing for a stop word.
func (a *analyzer) stem(start int) {
	word := clip(a.out[start:])
	if a.drops && isStopWord(word) {
		a.out = a.out[:max(start-1, 0)]
		return
	}
	a.out = append(a.out[:start], stems.stem(word)...)
}

func (a *analyzer) part() {
	if n := len(a.out); n > 0 && a.out[n-1] != ' ' {
		a.out = append(a.out, ' ')
	}
}

// clip returns the longest beginning of a word that is allowed as a term.
func clip(word []byte) []byte {
	if len(word) <= MaxBytes {
		return word
	}
	n := MaxBytes
	for !utf8.RuneStart(word[n]) {
		n--
	}
	return word[:n]
}
