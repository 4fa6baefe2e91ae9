package plain

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks a line into lines of at most width columns: between words, beside characters that take two
// columns, and within a word only where it is longer than a line. Nothing is left out but the
// blanks at a break. Escapes of a terminal take no room and stay whole.
func Wrap(s string, width int) []string { return wrap(s, "", "", width) }

// Hang is Wrap with lines below the first that are indented by what the first begins with: deeper than its own
// indent, a number or a dash, and along the branches of a tree.
func Hang(s string, width int) []string {
	own, below := margin(ansi.Strip(s))
	const least = 20
	if width-ansi.StringWidth(below) < least {
		below = "  "
	}
	return wrap(s, own, below, width)
}

// begins matches what words hang on: an indent or the branches of a tree, and a number or a dash.
var begins = regexp.MustCompile(`^([ │]*)(├─ |└─ |[0-9]+\. +|- )?`)

// margin returns what a line begins with before its words, and what lines below it begin with.
func margin(text string) (own, below string) {
	m := begins.FindStringSubmatch(text)
	below = m[1]
	switch m[2] {
	case "":
		below += "  "
	case "├─ ":
		below += "│    "
	case "└─ ":
		below += "     "
	default:
		below += strings.Repeat(" ", len(m[2]))
	}
	return m[0], below
}

// A wrapper breaks one line.
type wrapper struct {
	width  int
	below  string // what each line but the first begins with
	indent int    // its columns
	out    []string
	line   strings.Builder
	at     int    // columns of the line
	begun  bool   // there is more in it than its margin
	gap    string // blanks before the word
	word   strings.Builder
	size   int  // columns of the word
	wide   bool // its last character takes two
	opens  bool // its last character opens something
}

func wrap(s, own, below string, width int) []string {
	width = max(width, 2)
	w := &wrapper{width: width, below: below, indent: ansi.StringWidth(below)}
	left := utf8.RuneCountInString(own) // of the margin: it is no place to break
	for state := byte(0); s != ""; {
		seq, size, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		first, _ := utf8.DecodeRuneInString(seq)
		switch {
		case size > 0 && left > 0:
			left--
			w.line.WriteString(seq)
			w.at += size
		case first == ' ':
			w.place()
			w.gap += " "
		case first == '\t':
			w.place()
			const stop = 8
			w.gap += strings.Repeat(" ", stop-(w.at+len(w.gap))%stop)
		default:
			w.add(seq, first, size)
		}
	}
	w.place()
	return append(w.out, w.line.String())
}

// add puts a character or an escape at the end of the word, or begins another with it.
func (w *wrapper) add(seq string, first rune, size int) {
	if size > 0 {
		closes := unicode.In(first, unicode.Pe, unicode.Pf, unicode.Po)
		if (size > 1 || w.wide) && !closes && !w.opens {
			w.place()
		}
		w.wide = size > 1
		w.opens = unicode.In(first, unicode.Ps, unicode.Pi) || first == '"' && w.size == 0
	}
	w.word.WriteString(seq)
	w.size += size
}

// place puts the word into the line, or into the next where it does not fit.
func (w *wrapper) place() {
	if w.word.Len() == 0 {
		return
	}
	word := w.word.String()
	switch {
	case w.at+len(w.gap)+w.size <= w.width:
		w.line.WriteString(w.gap)
		w.at += len(w.gap)
	case w.size <= w.width-w.indent || w.begun:
		w.end()
	}
	if w.at+w.size > w.width {
		w.broken(word)
	} else {
		w.line.WriteString(word)
		w.at += w.size
	}
	w.begun = w.begun || w.size > 0
	w.word.Reset()
	w.gap, w.size, w.wide, w.opens = "", 0, false, false
}

// broken puts a word into as many lines as it takes.
func (w *wrapper) broken(word string) {
	for state := byte(0); word != ""; {
		seq, size, n, next := ansi.DecodeSequence(word, state, nil)
		word, state = word[n:], next
		if w.at+size > w.width && w.at > w.indent {
			w.end()
		}
		w.line.WriteString(seq)
		w.at += size
	}
}

// end begins another line.
func (w *wrapper) end() {
	w.out = append(w.out, w.line.String())
	w.line.Reset()
	w.line.WriteString(w.below)
	w.at, w.begun = w.indent, false
}
