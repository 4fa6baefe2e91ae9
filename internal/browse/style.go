package browse

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Styles are ANSI codes that follow the theme of the terminal; "" is none.
const (
	dim     = "2"
	bold    = "1"
	reverse = "7"
	red     = "31"
	green   = "32"
	yellow  = "33"
	blue    = "34"
	purple  = "35"
	cyan    = "36"
)

var (
	levelStyle = map[string]string{
		"rejected": red, "unverified": yellow, "attested": green, "anchored": green, "consensus": green,
	}
	tierStyle  = map[string]string{"grounded": green, "observed": green, "hypothesis": yellow}
	stateStyle = map[string]string{"verified": green, "needs_review": yellow, "stale": red, "unknown": dim}
)

// maxMessage is how long a line of text from a memory or an error may be.
const maxMessage = 400

// mostWords is how many rows of a memory's words are shown above its tree.
const mostWords = 5

// wide is the width from which a list has columns; below it a hit takes two
// rows.
const wide = 72

// Options say how a walk looks and what it may do. The zero value is plain and
// decides nothing.
type Options struct {
	Color  bool
	Decide bool // the one at the keys may approve and reject
	// Typed puts what is typed at a terminal in the place of the operations that a
	// message of the engine names; nil leaves them.
	Typed func(string) string
}

// A piece is text in one style. The text is harmless and has no line breaks.
type piece struct{ style, text string }

// paint cuts pieces to a width and puts them in their styles.
func (o Options) paint(pieces []piece, width int) string {
	var b strings.Builder
	for _, p := range pieces {
		text := p.text
		if n := ansi.StringWidth(text); n > width {
			text = plain.Cut(text, width)
		}
		width -= ansi.StringWidth(text)
		if o.Color && p.style != "" && text != "" {
			text = "\x1b[" + p.style + "m" + text + "\x1b[0m"
		}
		b.WriteString(text)
		if width <= 0 {
			break
		}
	}
	return b.String()
}

// oneLine makes words of a memory a harmless line.
func oneLine(s string) string { return plain.Line(s, maxMessage) }

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// shortRef returns a ref as people read it.
func shortRef(ref string) string {
	kind, id, ok := strings.Cut(ref, ":")
	if !ok {
		return shorten.To(ref, 8)
	}
	return kind + ":" + shorten.To(id, 8)
}

func day(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.Local().Format(time.DateOnly)
	}
	return oneLine(s)
}

// cameAbout says in a line how, when and by whom a memory came about.
func cameAbout(m *api.Memory) string {
	s := fmt.Sprintf("%s on %s, by %s", strings.ReplaceAll(or(m.SourceType, "kept"), "_", " "),
		day(or(m.At, m.CreatedAt)), m.Origin)
	if m.Agent != "" {
		s += " (" + plain.Line(m.Agent, 40) + ")"
	}
	if len(m.DerivedFrom) > 0 {
		s += ", from " + oneLine(m.Source)
	}
	return s
}

// said puts the speaker before what was said.
func said(speaker, words string) string {
	if speaker != "" {
		return speaker + ": " + words
	}
	return words
}

// kindStyle returns the style of a kind.
func kindStyle(kind string) string { return memory.Kind(kind).Form().ANSI }
