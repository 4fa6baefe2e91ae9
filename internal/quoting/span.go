package quoting

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gap stands where a pack leaves words out.
const gap = "…"

// A Span is some bytes of a text, from one up to another.
type Span struct{ From, To int }

// Spans returns which parts of a text another one gives: all of it, or parts of it in its order with a sign at each
// gap. Blanks and line ends count as one blank. ok is false where the other one gives anything else.
func Spans(words, given string) (spans []Span, ok bool) {
	if given == words {
		return []Span{{0, len(words)}}, words != ""
	}
	line, at := oneLine(words)
	next := 0
	for _, part := range strings.Split(given, gap) {
		piece, _ := oneLine(part)
		if piece == "" {
			continue
		}
		from := strings.Index(line[next:], piece)
		if from < 0 {
			return nil, false
		}
		from += next
		next = from + len(piece)
		_, last := utf8.DecodeLastRuneInString(piece)
		spans = append(spans, Span{at[from], at[next-last] + last})
	}
	return spans, len(spans) > 0
}

// oneLine makes one blank of each run of blanks, and says where each byte stood.
func oneLine(text string) (string, []int) {
	var b strings.Builder
	var at []int
	blank := true
	for i, r := range text {
		if unicode.IsSpace(r) {
			if !blank {
				b.WriteByte(' ')
				at = append(at, i)
			}
			blank = true
			continue
		}
		blank = false
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(text[i:])
		}
		b.WriteString(text[i : i+n])
		for k := range n {
			at = append(at, i+k)
		}
	}
	return strings.TrimSuffix(b.String(), " "), at
}

// Written is how spans are written: "0-37,90-120".
func Written(spans []Span) string {
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = strconv.Itoa(s.From) + "-" + strconv.Itoa(s.To)
	}
	return strings.Join(parts, ",")
}
