package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// maxWord is the length in characters beyond which BERT takes a word for unknown.
const maxWord = 100

// A wordPiece finds the longest token that a word begins with, then the longest that goes on from there, and so
// forth. A word that does not come out even is unknown as a whole.
type wordPiece struct {
	first, rest map[string]int // tokens that begin a word, and that go on in one, without their prefix
	longest     int            // bytes of a token
	most        int            // characters of a word
}

func newWordPiece(vocabulary map[string]int, prefix, unknown string, most int) *wordPiece {
	w := &wordPiece{first: vocabulary, rest: vocabulary, most: most}
	delete(vocabulary, unknown)
	if prefix != "" {
		w.rest = make(map[string]int, len(vocabulary)/4)
	}
	for token, number := range vocabulary {
		if prefix != "" && strings.HasPrefix(token, prefix) {
			w.rest[token[len(prefix):]] = number
		}
		w.longest = min(max(w.longest, len(token)), longestToken)
	}
	return w
}

func (w *wordPiece) find(tokens []int, word string) []int {
	if len(word) > w.most && utf8.RuneCountInString(word) > w.most {
		return append(tokens, Unknown)
	}
	before, from := len(tokens), w.first
	for word != "" {
		end := min(len(word), w.longest)
		for end > 0 {
			// a token that ends within a character cannot be in the vocabulary
			if number, found := from[word[:end]]; found {
				tokens = append(tokens, number)
				break
			}
			end--
		}
		if end == 0 {
			return append(tokens[:before], Unknown)
		}
		word, from = word[end:], w.rest
	}
	return tokens
}

// A wordLevel knows whole words only.
type wordLevel map[string]int

func (w wordLevel) find(tokens []int, word string) []int {
	if number, found := w[word]; found {
		return append(tokens, number)
	}
	return append(tokens, Unknown)
}
