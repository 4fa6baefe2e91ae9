package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The voiced sound marks of kana change the letter (か, が), so they are no diacritics to drop.
const (
	voiced     = '\u3099'
	semiVoiced = '\u309a'
)

// pairs appends every two neighbouring characters of the run that begins at i, or the only one there
// is, and gives the end of the run.
func (a *analyzer) pairs(text string, i int) int {
	run := a.fold[:0]
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		char := text[i : i+size]
		if k := classOf(r, char); k != spaceless && k != ignorable {
			break
		}
		run = appendKept(run, r, char)
		i += size
	}
	a.fold = run
	if !norm.NFC.IsNormal(run) {
		run = norm.NFC.Bytes(run)
	}
	var pair [2 * utf8.UTFMax]byte
	previous, alone := rune(0), true
	for len(run) > 0 {
		r, size := utf8.DecodeRune(run)
		run = run[size:]
		if !unicode.IsLetter(r) { // a sound mark without a kana
			continue
		}
		if previous != 0 {
			a.whole(utf8.AppendRune(utf8.AppendRune(pair[:0], previous), r))
			alone = false
		}
		previous = r
	}
	if previous != 0 && alone {
		a.whole(utf8.AppendRune(pair[:0], previous))
	}
	return i
}

// appendKept appends what stays of a character: compatible forms are made plain, marks are dropped
// except those of kana.
func appendKept(run []byte, r rune, char string) []byte {
	if r == '〇' { // a number to Unicode, and the same zero
		return append(run, "零"...)
	}
	d := norm.NFKD.PropertiesString(char).Decomposition()
	if d == nil {
		d = []byte(char)
	}
	for len(d) > 0 {
		r, size := utf8.DecodeRune(d)
		if r == voiced || r == semiVoiced || unicode.IsLetter(r) {
			run = append(run, d[:size]...)
		}
		d = d[size:]
	}
	return run
}
