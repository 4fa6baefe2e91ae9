package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/memory"
)

// The colours, as ANSI codes that follow the theme of the terminal.
const (
	dim    = "2"
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
	purple = "35"
	cyan   = "36"
)

// pipeWidth is the width of lines where there is no terminal to measure.
const pipeWidth = 200

// stateColor is the colour of each state.
var stateColor = map[string]string{"verified": green, "needs_review": yellow, "stale": red, "unknown": dim}

// levelColor is the colour of each level of trust.
var levelColor = map[string]string{"rejected": red, "unverified": yellow, "attested": green, "anchored": green,
	"consensus": green}

// colored reports whether to use colour: on a terminal, unless a flag or variable says
// otherwise.
func (a *app) colored() bool {
	switch a.flags.color {
	case "always":
		return true
	case "never":
		return false
	}
	return a.onTerminal() && a.env.Getenv("NO_COLOR") == "" && a.env.Getenv("TERM") != "dumb"
}

// paint puts text in a colour where there is colour.
func (a *app) paint(code, s string) string {
	if s == "" || !a.colored() {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// kindColor returns the colour of a kind's refs.
func kindColor(kind string) string { return memory.Kind(kind).Form().ANSI }

func (a *app) ref(kind, id string) string { return a.paint(kindColor(kind), kind+":"+short(id)) }

// column is one column of a table.
type column struct {
	title string
	right bool // numbers stand under one another
	wide  bool // takes what room there is
	least int  // how wide it is at the least
}

// table prints rows under their titles, with a rule between. One column may be
// wide: it is cut so that the lines fit.
func (a *app) table(w io.Writer, cols []column, rows [][]string) { a.tablePart(w, cols, rows, true) }

// tablePart prints some rows of a table, under the titles if they are the first. What follows
// keeps the widths of what was before, where that is enough.
func (a *app) tablePart(w io.Writer, cols []column, rows [][]string, first bool) {
	const gap = 2
	widths := make([]int, len(cols))
	room := a.width()
	for i, c := range cols {
		widths[i] = max(ansi.StringWidth(c.title), c.least)
		for _, r := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(r[i]))
		}
		if !c.wide {
			room -= widths[i] + gap
		}
	}
	total := 0
	for i, c := range cols {
		if c.wide {
			widths[i] = min(widths[i], max(room, ansi.StringWidth(c.title), 20))
		}
		total += widths[i] + gap
		cols[i].least = widths[i]
	}
	cells := func(row []string) string {
		var b strings.Builder
		for i, c := range cols {
			cell := row[i]
			if c.wide {
				cell = plain.Cut(cell, widths[i])
			}
			pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(cell))
			if c.right {
				cell = pad + cell
			} else {
				cell += pad
			}
			b.WriteString(cell + strings.Repeat(" ", gap))
		}
		return strings.TrimRight(b.String(), " ")
	}
	titles := make([]string, len(cols))
	for i, c := range cols {
		titles[i] = c.title
	}
	if first {
		fmt.Fprintln(w, a.paint(bold, cells(titles)))
		fmt.Fprintln(w, a.paint(dim, strings.Repeat("─", total-gap)))
	}
	for _, r := range rows {
		fmt.Fprintln(w, cells(r))
	}
}

// onTerminal reports whether what we print is read by a person at a terminal.
func (a *app) onTerminal() bool {
	f, ok := a.env.Stdout.(*os.File)
	return ok && isTerminal(f)
}

func (a *app) width() int {
	if a.env.columns > 0 {
		return a.env.columns
	}
	if f, ok := a.env.Stdout.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return pipeWidth
}

func statusColor(unsure bool) string {
	if unsure {
		return yellow
	}
	return red
}
