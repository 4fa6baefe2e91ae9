package cli

import (
	"bytes"
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

const (
	pipeWidth     = 200 // to which columns of a table line up where there is no terminal; nothing is cut to it
	terminalWidth = 80  // of a terminal that does not say how wide it is
)

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
	wide  bool // words: takes what room there is
	least int  // how wide it is at the least
}

// table prints rows under their titles, with a rule between. Nothing is cut: at a terminal
// the cells of a wide column wrap, or go below the row where little room is left.
func (a *app) table(w io.Writer, cols []column, rows [][]string) { a.tablePart(w, cols, rows, true) }

const (
	gapWidth  = 2  // between columns
	leastWide = 30 // columns in which words still read well
)

// tablePart prints some rows of a table, under the titles if they are the first. What follows
// keeps the widths of what was before, where that is enough.
func (a *app) tablePart(w io.Writer, cols []column, rows [][]string, first bool) {
	widths := make([]int, len(cols))
	screen := a.width()
	room, wides := screen, 0
	for i, c := range cols {
		widths[i] = max(ansi.StringWidth(c.title), c.least)
		for _, r := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(r[i]))
		}
		if c.wide {
			wides++
			room -= gapWidth
		} else {
			room -= widths[i] + gapWidth
		}
	}
	below, total := false, -gapWidth
	for i, c := range cols {
		if c.wide {
			share := max(room+gapWidth, 0) / wides
			below = below || a.wraps() && share < leastWide && widths[i] > max(share, ansi.StringWidth(c.title))
			widths[i] = min(widths[i], max(share, ansi.StringWidth(c.title), 20))
		}
		total += widths[i] + gapWidth
		cols[i].least = widths[i]
	}
	titles := make([]string, len(cols))
	for i, c := range cols {
		titles[i] = c.title
	}
	if below {
		total = screen
	}
	if first {
		a.row(w, cols, widths, titles, below, func(s string) string { return a.paint(bold, s) })
		fmt.Fprintln(w, a.paint(dim, strings.Repeat("─", total)))
	}
	for _, r := range rows {
		a.row(w, cols, widths, r, below, func(s string) string { return s })
	}
}

// row prints one row, and what is wide below the rest if it is to be.
func (a *app) row(w io.Writer, cols []column, widths []int, row []string, below bool, paint func(string) string) {
	cells, height := make([][]string, len(cols)), 1
	for i, c := range cols {
		cells[i] = []string{row[i]}
		if c.wide && a.wraps() && !below {
			cells[i] = plain.Wrap(row[i], widths[i])
		}
		height = max(height, len(cells[i]))
	}
	for y := range height {
		var b strings.Builder
		for i, c := range cols {
			if c.wide && below {
				continue
			}
			cell := ""
			if y < len(cells[i]) {
				cell = cells[i][y]
			}
			pad := strings.Repeat(" ", max(widths[i]-ansi.StringWidth(cell), 0))
			if c.right {
				cell = pad + cell
			} else {
				cell += pad
			}
			b.WriteString(cell + strings.Repeat(" ", gapWidth))
		}
		fmt.Fprintln(w, paint(strings.TrimRight(b.String(), " ")))
	}
	for i, c := range cols {
		if c.wide && below {
			for _, l := range plain.Hang("  "+row[i], a.width()) {
				fmt.Fprintln(w, paint(l))
			}
		}
	}
}

// screen returns the terminal that what we print goes to, nil for a pipe or a file.
func (a *app) screen() *os.File {
	out := a.env.Stdout
	if w, is := out.(*wrapping); is {
		out = w.out
	}
	if f, is := out.(*os.File); is && isTerminal(f) {
		return f
	}
	return nil
}

// onTerminal reports whether what we print is read by a person at a terminal.
func (a *app) onTerminal() bool { return a.screen() != nil }

// wraps reports whether lines are broken to a width: at a terminal, and where one is shown.
func (a *app) wraps() bool { return a.env.columns > 0 || a.onTerminal() }

// width is how wide lines should be.
func (a *app) width() int {
	if a.env.columns > 0 {
		return a.env.columns
	}
	f := a.screen()
	if f == nil {
		return pipeWidth
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return terminalWidth
}

// A wrapping writer breaks what is printed to the width of a terminal, line by line.
type wrapping struct {
	out   io.Writer
	width int
	part  []byte // of a line that has not ended
}

func (w *wrapping) Write(b []byte) (int, error) {
	w.part = append(w.part, b...)
	for {
		at := bytes.IndexByte(w.part, '\n')
		if at < 0 {
			return len(b), nil
		}
		text := strings.Join(plain.Hang(string(w.part[:at]), w.width), "\n") + "\n"
		w.part = w.part[at+1:]
		if _, err := io.WriteString(w.out, text); err != nil {
			return len(b), err
		}
	}
}

// wrapped lets what is printed wrap until end is called.
func (a *app) wrapped() (end func() error) {
	if _, is := a.env.Stdout.(*wrapping); is || !a.wraps() {
		return func() error { return nil }
	}
	w := &wrapping{out: a.env.Stdout, width: a.width()}
	a.env.Stdout = w
	return func() error {
		a.env.Stdout = w.out
		_, err := w.out.Write(w.part)
		return err
	}
}

// bare is standard output for what programs read, in which no line is broken.
func (a *app) bare() io.Writer {
	if w, is := a.env.Stdout.(*wrapping); is {
		return w.out
	}
	return a.env.Stdout
}

func statusColor(unsure bool) string {
	if unsure {
		return yellow
	}
	return red
}
