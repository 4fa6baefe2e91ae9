package minilm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The vocabulary was made of English, and shows what is not. A word it lacks comes apart into pieces, so other
// languages, code and codes are full of pieces that go on in a word. And its words stand in the order of how often
// they occur, so the first of them make up much of any English sentence, and little of another.
const (
	commonWords = 200  // the first of the vocabulary that have two letters and more
	usualWords  = 4000 // and more of them
	fewPieces   = 6    // too few to tell a language by
	shortPieces = 20   // a sentence, in which two rare names are much
	wholeShare  = 5    // one piece of so many is a word as a whole
	apartShare  = 6    // one word of so many may come apart
)

// A language knows of each token of the vocabulary what it is.
type language []kind

type kind uint8

const (
	letters   kind = 1 << iota // it begins with a letter
	word                       // it has two letters and more and begins a word
	common                     // it is one of the commonest words
	usual                      // it is one of the usual words
	continues                  // it goes on in a word
)

// newLanguage looks at a vocabulary, a token a line.
func newLanguage(vocabulary string) language {
	var l language
	frequent := 0
	for line := range strings.Lines(vocabulary) {
		token, within := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "##")
		var k kind
		if first, _ := utf8.DecodeRuneInString(token); unicode.IsLetter(first) {
			k = letters
			if utf8.RuneCountInString(token) > 1 && !within {
				k |= word
				frequent++
				if frequent <= usualWords {
					k |= usual
				}
				if frequent <= commonWords {
					k |= common
				}
			}
		}
		if within {
			k |= continues
		}
		l = append(l, k)
	}
	return l
}

func (l language) of(piece int) kind {
	if piece < 0 || piece >= len(l) {
		return 0
	}
	return l[piece]
}

// goesOn says whether a piece goes on in a word.
func (l language) goesOn(piece int) bool { return l.of(piece)&continues != 0 }

// reads says whether pieces are of English. Two measures tell it, of which each must hold. At least a fifth of all
// pieces are words as a whole: tables, logs, hexadecimal digits and minified code have fewer. And the words that come
// apart are no more than the commonest words and a sixth of all: other languages, base64 and bare identifiers have
// many more. What is said in English about code passes. In a short text names and terms may come apart, as long as it
// has as many usual words. A few pieces say too little; there one word is enough.
func (l language) reads(pieces []int) bool {
	var words, whole, often, known, apart, begun int
	for i, piece := range pieces {
		k := l.of(piece)
		if k&letters == 0 || k&continues != 0 {
			continue
		}
		words++
		comesApart := i+1 < len(pieces) && l.goesOn(pieces[i+1])
		if comesApart {
			apart++
		}
		if k&word != 0 {
			begun++
			if !comesApart {
				whole++
				if k&usual != 0 {
					known++
				}
			}
		}
		if k&common != 0 {
			often++
		}
	}
	if len(pieces) <= fewPieces {
		return begun > 0
	}
	return whole*wholeShare >= len(pieces) &&
		((apart-often)*apartShare <= words || len(pieces) <= shortPieces && apart <= known)
}
