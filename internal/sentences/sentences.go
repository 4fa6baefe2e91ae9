// Package sentences parts a text into its sentences, in any language. A stop behind an abbreviation, an initial or an
// ordinal number ends none; CLDR's lists of seven languages say which words are abbreviations.
package sentences

import (
	"iter"
	"strings"
	"unicode"
)

// Split returns the sentences of a text in order, without the blanks around them. Together they hold every word of
// the text. An item of a list may have several; a heading, a row of a table and a line of code are one each. The line
// ends of a wrapped paragraph stay in its sentences.
func Split(text string) []string {
	var out []string
	for from, to := range Spans(text) {
		out = append(out, text[from:to])
	}
	return out
}

// Spans yields where each sentence of Split begins and ends, in bytes.
func Spans(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		begin := 0
		for _, end := range Bounds(text) {
			if from, to := trim(text, begin, end); from < to && !yield(from, to) {
				return
			}
			begin = end
		}
	}
}

// Bounds returns where each sentence of a text ends, in bytes and in order. The blanks behind a sentence belong to
// the next one, and those at the end of the text to none.
func Bounds(text string) []int {
	b := blocks{text: text}
	b.read()
	return b.ends
}

// trim leaves out the blanks at both ends.
func trim(text string, from, to int) (int, int) {
	piece := text[from:to]
	short := strings.TrimLeftFunc(piece, unicode.IsSpace)
	from += len(piece) - len(short)
	return from, from + len(strings.TrimRightFunc(short, unicode.IsSpace))
}
