package browse

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/plain"
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
	kindStyle = map[string]string{
		"raw": yellow, "episode": green, "note": cyan, "belief": blue, "value": purple, "goal": purple, "drive": purple,
		"relationship": cyan, "playbook": cyan,
	}
	levelStyle = map[string]string{
		"rejected": red, "unverified": yellow, "attested": green, "anchored": green, "consensus": green,
	}
	tierStyle  = map[string]string{"grounded": green, "observed": green, "hypothesis": yellow}
	stateStyle = map[string]string{"verified": green, "needs_review": yellow, "stale": red, "unknown": dim}
)

// A piece is text in one style. The text is harmless and has no line breaks.
type piece struct{ style, text string }

// A row is one line of a place.
type row struct {
	pieces []piece
	ref    string  // the record it stands for, opened with enter
	branch *branch // in a tree
	below  bool    // it belongs to the row above
}

func (r *row) selectable() bool { return r.ref != "" || r.branch != nil }

// plainRow is a row of one piece.
func plainRow(style, text string) row { return row{pieces: []piece{{style, text}}} }

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

// paragraph returns words of a memory as rows, and no more than most of them.
func paragraph(style, s string, width, most int) []row {
	var out []row
	for i, l := range plain.Lines(s, width) {
		if i == most {
			return append(out, plainRow(dim, "… (5 shows all)"))
		}
		out = append(out, plainRow(style, l))
	}
	return out
}

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
		return memory.Cut(ref, 8)
	}
	return kind + ":" + memory.Cut(id, 8)
}

func day(s string) string {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return oneLine(s)
}

// cameAbout says in a line how, when and by whom a memory came about.
func cameAbout(m *api.Memory) string {
	s := fmt.Sprintf("%s on %s, by %s", strings.ReplaceAll(or(m.SourceType, "kept"), "_", " "), day(m.CreatedAt), m.Origin)
	if m.Agent != "" {
		s += " (" + plain.Line(m.Agent, 40) + ")"
	}
	if len(m.DerivedFrom) > 0 {
		s += ", from " + oneLine(m.Source)
	}
	return s
}
