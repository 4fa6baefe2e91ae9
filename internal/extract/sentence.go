package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	parting "github.com/stemma-memory/stemma/internal/sentences"
)

// A sentence is one thing said. What stands between quotes or backticks in it is kept as it is in text, and
// blanked out in open, byte for byte, so that no rule takes it for the speaker's own words.
type sentence struct {
	text, open string
	asks       bool // it ends with a question mark
	words      []word
}

// A word is a run without spaces, without the punctuation around it.
type word struct {
	text, low  string
	start, end int  // in the sentence
	after      byte // the punctuation that follows: , ; : . ! ? ) or 0
}

// sentences splits a text. Fenced and indented code, quoted lines and tables are left out.
func sentences(text string) []sentence {
	text = keyboard(text)
	var out []sentence
	for _, paragraph := range paragraphs(text) {
		out = split(out, paragraph)
	}
	return out
}

func keyboard(text string) string {
	if len(text) > maxProse {
		text = text[:maxProse]
	}
	text = strings.ToValidUTF8(text, "")
	return typed.Replace(text)
}

// typed makes of typographic characters those of a keyboard.
var typed = strings.NewReplacer(
	"’", "'", "‘", "'", "“", `"`, "”", `"`, "\r\n", "\n", "\x00", "", "\u00a0", " ", "…", "...", "–", "-", "—",
	" - ", " 'cause ", " cause ", ", cause ", " cause ",
)

// paragraphs returns runs of prose. A list's item is a paragraph of its own.
func paragraphs(text string) []string {
	var out []string
	var now strings.Builder
	flush := func() {
		if now.Len() > 0 {
			out = append(out, now.String())
			now.Reset()
		}
	}
	fence := ""
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \t\n")
		t := strings.TrimLeft(l, " \t")
		if mark := fenceOf(t); mark != "" && (fence == "" || fence == mark) {
			flush()
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		switch {
		case fence != "":
		case t == "", strings.HasPrefix(t, ">"), strings.HasPrefix(t, "|"), strings.HasPrefix(t, "$ "),
			strings.HasPrefix(t, "#!"), strings.HasPrefix(l, "    "), strings.HasPrefix(l, "\t"):
			flush()
		case parting.Marker(t) > 0:
			flush()
			for n := parting.Marker(t); n > 0; n = parting.Marker(t) {
				t = strings.TrimLeft(t[n:], " \t")
			}
			now.WriteString(t)
		default:
			if now.Len() > 0 {
				now.WriteByte(' ')
			}
			now.WriteString(t)
		}
	}
	flush()
	return out
}

func fenceOf(t string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(t, mark) {
			return mark
		}
	}
	return ""
}

// split appends the sentences of a paragraph. What is quoted in it ends none.
func split(out []sentence, p string) []sentence {
	open := blanked(p)
	for from, to := range parting.Spans(open) {
		for {
			n := strings.Index(open[from:to], "... ") // who hesitates may say two things
			if n < 0 {
				break
			}
			n += from + len("...")
			out = appendSentence(out, p[from:n], open[from:n])
			from = n
		}
		out = appendSentence(out, p[from:to], open[from:to])
	}
	return out
}

// quoted stands in open for each byte of what is quoted.
const quoted = 0x7f

// blanked puts a character that no rule knows in the place of what stands in backticks, double
// quotes and URLs. Lengths stay.
func blanked(p string) string {
	b := []byte(p)
	for _, mark := range []byte{'`', '"'} {
		for i := 0; i < len(b); i++ {
			if b[i] != mark {
				continue
			}
			n := strings.IndexByte(string(b[i+1:min(len(b), i+1+maxSentence)]), mark)
			if n < 0 {
				break
			}
			for k := i + 1; k <= i+n; k++ {
				b[k] = quoted
			}
			i += n + 1
		}
	}
	for i := 0; i+3 <= len(b); i++ {
		if string(b[i:i+3]) != "://" {
			continue
		}
		for k := i; k < len(b) && b[k] > ' '; k++ {
			if k+1 < len(b) && b[k+1] > ' ' || strings.IndexByte(".,!?)", b[k]) < 0 {
				b[k] = quoted
			}
		}
	}
	return string(b)
}

func appendSentence(out []sentence, text, open string) []sentence {
	trimmed := strings.TrimLeft(text, " ")
	open = open[len(text)-len(trimmed):]
	text = strings.TrimRight(trimmed, " ")
	open = open[:len(text)]
	if text == "" || len(text) > maxSentence || !english(open) {
		return out
	}
	s := sentence{text: text, open: open, asks: strings.HasSuffix(strings.TrimRight(open, `)"'!.`), "?")}
	for i := 0; i < len(open); {
		if open[i] == ' ' {
			i++
			continue
		}
		j := i
		for j < len(open) && open[j] != ' ' {
			j++
		}
		from, to := i, j
		for from < to && strings.IndexByte(`("'[*_`, open[from]) >= 0 {
			from++
		}
		for to > from && !strings.HasSuffix(open[from:to], "()") && strings.IndexByte(`,;:.!?)"']*_~-`, open[to-1]) >= 0 {
			to--
		}
		if dashes := strings.Trim(open[i:j], "-"); dashes == "" {
			if n := len(s.words); n > 0 && s.words[n-1].after == 0 {
				s.words[n-1].after = ';'
			}
		} else if from < to {
			w := word{text: text[from:to], start: from, end: to}
			w.low = strings.ToLower(open[from:to])
			if to < j {
				w.after = open[to]
				if w.after == '-' {
					w.after = ';'
				}
				if w.after == '.' && j < len(open) {
					w.after = 0 // the sentence goes on
				}
			}
			s.words = append(s.words, w)
		}
		i = j
	}
	if len(s.words) == 0 {
		return out
	}
	return append(out, s)
}

// english reports whether a sentence may be English: its letters are Latin, and not many have marks.
func english(s string) bool {
	letters, foreign := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if r >= utf8.RuneSelf {
				foreign++
			}
		}
	}
	return letters > 0 && foreign*8 <= letters
}

// from returns the text from word i to the end, without the closing punctuation.
func (s sentence) from(i int) string { return s.span(i, len(s.words)) }

// span returns the text from word i up to word j.
func (s sentence) span(i, j int) string {
	if i < 0 || i >= j || i >= len(s.words) {
		return ""
	}
	start, end := s.words[i].start, s.words[min(j, len(s.words))-1].end
	for start > 0 && (s.text[start-1] == '"' || s.text[start-1] == '`') {
		start--
	}
	for end < len(s.text) && (s.text[end] == '"' || s.text[end] == '`' || s.text[end] == ')') {
		end++
	}
	said := s.text[start:end]
	if end < len(s.text) && s.text[end] == ']' && strings.Count(said, "[") > strings.Count(said, "]") {
		end++ // of a mark, as that of what was redacted
	}
	return s.text[start:end]
}

// has finds the first place from i on where one of the phrases stands, word by word, or -1.
func (s sentence) has(i int, phrases ...string) (at, n int) {
	for k := i; k < len(s.words); k++ {
		for _, p := range phrases {
			if n := s.is(k, p); n > 0 {
				return k, n
			}
		}
	}
	return -1, 0
}

// is tells with how many words the phrase stands at word i; 0 if it does not.
func (s sentence) is(i int, phrase string) int {
	if i < 0 {
		return 0
	}
	n := 0
	for w := range strings.FieldsSeq(phrase) {
		if i+n >= len(s.words) || s.words[i+n].low != w {
			return 0
		}
		n++
	}
	return n
}

// any tells with how many words the longest of the phrases stands at word i.
func (s sentence) any(i int, phrases []string) int {
	most := 0
	for _, p := range phrases {
		most = max(most, s.is(i, p))
	}
	return most
}

// OneSentence reports whether a text is one sentence, and no more.
func OneSentence(text string) bool { return len(sentences(text)) == 1 }

func (s sentence) mentions(phrases ...string) bool {
	at, _ := s.has(0, phrases...)
	return at >= 0
}

func endsClause(w word) bool { return w.after != 0 && w.after != ')' }

func isCapital(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && (len(w) > size || w == "X")
}
