package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// blocks reads the lines of a text and finds its sentences.
type blocks struct {
	text string
	ends []int

	paragraph []line
	fence     string // what closes the code that is being read
	listed    bool   // in a list, whose items go on behind blanks
	number    int    // of the last item
	quoted    bool
}

// A line is without its end. skip is where its words begin: behind the mark of an item.
type line struct {
	from, skip, to int
	dated          bool // it goes on with a date that the line before left open
}

func (b *blocks) read() {
	blank := true
	for at := 0; at < len(b.text); {
		end, next := len(b.text), len(b.text)
		if n := strings.IndexByte(b.text[at:], '\n'); n >= 0 {
			end, next = at+n, at+n+1
		}
		blank = b.line(at, end, blank)
		at = next
	}
	b.flush()
}

// line reads one line and reports whether it is blank.
func (b *blocks) line(from, to int, afterBlank bool) bool {
	whole := b.text[from:to]
	words := strings.TrimLeft(whole, " \t\u00a0")
	indent := len(whole) - len(words)
	words = strings.TrimRightFunc(words, unicode.IsSpace)
	to = from + indent + len(words)
	skip := from + indent
	quote := strings.HasPrefix(words, ">")
	if b.fence != "" && (quote || !b.quoted) {
		b.alone(to, words)
		if b.quoted {
			words = strings.TrimLeft(words, "> \t")
		}
		if strings.HasPrefix(words, b.fence) && strings.Trim(words, b.fence[:1]) == "" {
			b.fence = ""
		}
		return false
	}
	b.fence = "" // one in a quotation ends with it
	if quote {
		words = strings.TrimLeft(words, "> \t")
		skip = to - len(words)
	}
	if quote != b.quoted {
		b.flush()
		b.quoted = quote
	}
	marker, number := itemOf(words)
	dated := beginsWithDate(words) && len(b.paragraph) > 0 && strings.IndexByte(":.!?", b.last()) < 0
	if dated {
		before := b.paragraph[len(b.paragraph)-1]
		dated = !beginsWithDate(b.text[before.skip:before.to])
	}
	switch {
	case words == "":
		b.flush()
		if quote {
			b.alone(to, ">")
		}
		return true
	case fenceOf(words) != "":
		b.fence = fenceOf(words)
		b.alone(to, words)
	case heading(words), words[0] == '|', ruled(words):
		b.alone(to, words)
	case marker > 0 && (number < 0 || number == 1 || b.listed && number == b.number+1 || len(b.paragraph) == 0 ||
		strings.IndexByte(":.!?", b.last()) >= 0):
		b.flush()
		b.listed, b.number = true, number
		b.paragraph = append(b.paragraph, line{from, skip + marker, to, false})
	case (indent > 3 || whole[0] == '\t') && len(b.paragraph) == 0 && !b.listed:
		b.alone(to, words)
	default:
		if afterBlank && indent == 0 {
			b.listed = false
		}
		b.paragraph = append(b.paragraph, line{from, skip, to, dated})
	}
	return false
}

// last returns the last byte of the line before.
func (b *blocks) last() byte { return b.text[b.paragraph[len(b.paragraph)-1].to-1] }

// alone makes a line a sentence of its own.
func (b *blocks) alone(to int, words string) {
	b.flush()
	if words != "" {
		b.ends = append(b.ends, to)
	}
}

// flush finds the sentences of the paragraph.
func (b *blocks) flush() {
	lines := b.paragraph
	b.paragraph = b.paragraph[:0]
	width := b.width(lines)
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && b.goesOn(lines[n-1], lines[n], width) {
			n++
		}
		s := segment{text: b.text, from: lines[0].from, to: lines[n-1].to}
		s.stops(lines[0].skip, func(end int) { b.ends = append(b.ends, end) })
		b.ends = append(b.ends, s.to)
		lines = lines[n:]
	}
}

// leastWidth is the narrowest column that a text is wrapped to.
const leastWidth = 50

// width returns the columns to which a paragraph is wrapped; 0 if its lines end where their writer ended them.
func (b *blocks) width(lines []line) int {
	if len(lines) < 2 {
		return 0
	}
	most := 0
	for _, l := range lines {
		most = max(most, b.columns(l))
	}
	if most < leastWidth {
		return 0
	}
	full := 0
	for i, l := range lines[1:] {
		if b.full(lines[i], l, most) {
			full++
		}
	}
	if full*4 < (len(lines)-1)*3 {
		return 0
	}
	return most
}

func (b *blocks) columns(l line) int { return utf8.RuneCountInString(b.text[l.from:l.to]) }

// full reports whether the first word of the next line would not have fitted in one.
func (b *blocks) full(l, next line, width int) bool {
	word := b.text[next.skip:next.to]
	if end := strings.IndexByte(word, ' '); end >= 0 {
		word = word[:end]
	}
	return b.columns(l)+1+utf8.RuneCountInString(word) >= width
}

// goesOn reports whether the end of a line is only where a paragraph was wrapped.
func (b *blocks) goesOn(l, next line, width int) bool {
	if b.text[l.to-1] == ',' || next.dated || width > 0 && b.full(l, next, width) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(b.text[next.skip:next.to])
	return unicode.IsLower(r)
}

func fenceOf(words string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(words, mark) {
			return words[:len(words)-len(strings.TrimLeft(words, mark[:1]))]
		}
	}
	return ""
}

func heading(words string) bool {
	rest := strings.TrimLeft(words, "#")
	return len(rest) < len(words) && len(words)-len(rest) < 7 && (rest == "" || rest[0] == ' ')
}

// ruled reports whether a line is drawn, as below a heading.
func ruled(words string) bool { return len(words) > 2 && strings.Trim(words, "=-*_~ ") == "" }

// Marker returns how many bytes at the start of a line mark it as a list's item or a heading, with the blank behind
// them; 0 for a line without a mark. The number of a date, as in 5. März, is none.
func Marker(line string) int {
	if heading(line) {
		return len(line) - len(strings.TrimLeft(line, "# "))
	}
	marker, _ := itemOf(line)
	return marker
}

// itemOf returns how many bytes the mark of a list's item has, with its blank, and its number, or -1.
func itemOf(words string) (marker, number int) {
	head, rest, ok := strings.Cut(words, " ")
	if !ok || rest == "" {
		return 0, -1
	}
	switch head {
	case "-", "*", "+", "•", "–", "◦", "‣":
		return len(head) + 1, -1
	}
	of := strings.TrimRight(head, ".)")
	if len(of) != len(head)-1 || !digits(of) || len(of) > 3 || beginsWithDate(words) {
		return 0, -1
	}
	for _, c := range []byte(of) {
		number = number*10 + int(c-'0')
	}
	return len(head) + 1, number
}

// beginsWithDate reports whether words begin with an ordinal number and a month.
func beginsWithDate(words string) bool {
	head, rest, _ := strings.Cut(words, " ")
	day, dot := strings.CutSuffix(head, ".")
	if !dot || !digits(day) || len(day) > 2 {
		return false
	}
	month, _, _ := strings.Cut(rest, " ")
	return months()[strings.ToLower(strings.TrimRight(month, ".,;:!?"))]
}
