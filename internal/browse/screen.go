package browse

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/stemma-memory/stemma/internal/plain"
)

// Screen returns the screen, in exactly height lines of at most width columns.
func (m *Model) Screen(width, height int) string {
	width, height = max(width, 1), max(height, 1)
	bars := 3 // the title, what the selected row is, and the keys
	if height < 8 {
		bars = min(height-1, 1)
	}
	m.width, m.height = width, height-bars
	lines := make([]string, 0, height)
	if bars > 0 {
		lines = append(lines, m.titleBar())
	}
	if m.helping {
		lines = append(lines, m.help(m.height)...)
	} else {
		lines = append(lines, m.body()...)
	}
	switch {
	case bars == 3:
		lines = append(lines, m.under(), m.o.paint([]piece{{dim, fitting(m.hints(), width)}}, width))
	case m.line != nil || m.confirm != nil || m.message != "":
		lines[len(lines)-1] = m.under() // there is no room for both
	}
	return strings.Join(lines, "\n")
}

func (m *Model) titleBar() string {
	p := m.here()
	left, right := "stemma · "+plain.Line(p.title(), maxMessage), m.where()
	room := m.width - ansi.StringWidth(right) - 1
	if room < 20 {
		room, right = m.width, ""
	}
	left = plain.Cut(left, room)
	gap := strings.Repeat(" ", max(m.width-ansi.StringWidth(left)-ansi.StringWidth(right), 0))
	return m.o.paint([]piece{{reverse, left + gap + right}}, m.width)
}

// where says how far down one is, and how far along in the history.
func (m *Model) where() string {
	p := m.here()
	rows, s := m.rows(p), p.sits()
	n, at := 0, 0
	for i, r := range rows {
		if r.selectable() {
			n++
			if i == s.selected {
				at = n
			}
		}
	}
	where := ""
	if n > 0 {
		where = fmt.Sprintf("%d/%d", at, n)
	}
	if len(m.been) > 1 && m.width >= narrow {
		where += fmt.Sprintf("  place %d of %d", m.at+1, len(m.been))
	}
	return where
}

// body returns the rows that are in sight.
func (m *Model) body() []string {
	p := m.here()
	rows, s := m.rows(p), p.sits()
	s.top = min(max(s.top, 0), max(len(rows)-1, 0))
	out := make([]string, m.height)
	chosen := false
	for i := range out {
		at := s.top + i
		if at >= len(rows) {
			break
		}
		r := rows[at]
		chosen = at == s.selected || chosen && r.below && at > s.selected
		mark := "  "
		if at == s.selected {
			mark = "› "
		}
		pieces := append([]piece{{bold, mark}}, r.pieces...)
		if chosen && m.o.Color {
			pieces = marked(pieces)
		}
		out[i] = m.o.paint(pieces, m.width)
	}
	return out
}

// marked shows the selected row in bold; its colours stay.
func marked(pieces []piece) []piece {
	out := make([]piece, len(pieces))
	for i, p := range pieces {
		out[i] = p
		switch p.style {
		case "", dim:
			out[i].style = bold
		case bold:
		default:
			out[i].style = bold + ";" + p.style
		}
	}
	return out
}

// under is the line below the rows: the prompt, the result of the last key, or more about the
// selected row.
func (m *Model) under() string {
	switch {
	case m.line != nil:
		text := plain.Text(m.line.text) + "▏"
		room := m.width - ansi.StringWidth(m.line.label)
		if over := ansi.StringWidth(text) - max(room, 1); over > 0 {
			text = ansi.TruncateLeft(text, over, "")
		}
		return m.o.paint([]piece{{bold, m.line.label}, {"", text}}, m.width)
	case m.confirm != nil:
		return m.o.paint([]piece{{yellow, m.confirm.question()}}, m.width)
	case m.message != "" && m.wrong:
		return m.o.paint([]piece{{red, m.message}}, m.width)
	case m.message != "":
		return m.o.paint([]piece{{"", plain.Line(m.message, maxMessage)}}, m.width)
	}
	if r, ok := m.current(); ok && !m.helping {
		return m.o.paint([]piece{{dim, plain.Line(m.here().about(r), maxMessage)}}, m.width)
	}
	return ""
}

// fitting keeps as many hints as there is room for, whole.
func fitting(hints string, width int) string {
	for ansi.StringWidth(hints) > width {
		i := strings.LastIndex(hints, " · ")
		if i < 0 {
			break
		}
		hints = hints[:i]
	}
	return hints
}

// hints are the keys that matter here, the most needed first.
func (m *Model) hints() string {
	switch {
	case m.helping:
		return "any key goes back"
	case m.line != nil:
		return "enter does it · escape leaves it"
	case m.confirm != nil:
		return "y is yes · any other key is no"
	}
	if h, ok := m.here().(*hits); ok {
		if h.review {
			return "? help · q quit · enter opens · a approve · x reject · n newest · / search"
		}
		return "? help · q quit · enter opens · / search · f kind · v hidden · r review · a approve · x reject"
	}
	return "? help · q quit · ←→ fold · enter goes · [ back · ] on · 1-5 looks · / search · a approve · x reject"
}

// manual is the help, one line each.
var manual = [][2]string{
	{"↑ ↓  j k", "up and down; page up and down, space, g and G go further"},
	{"→  l", "open a branch, enter it, or open the selected memory"},
	{"←  h", "close a branch, go to its parent, or back"},
	{"enter", "go to the selected source or derived memory"},
	{"[ ]", "back and forward along the way you came; escape is back too"},
	{"+ -", "open the tree by one level more, close all of it"},
	{"1…5  tab", "tree, evidence (e), trust and witnesses (w), history (t), record and code (c)"},
	{"/", "search"},
	{"n  r", "the newest memories; what waits for a decision"},
	{"f F", "in a list: only the next, or the last, kind"},
	{"v", "in a list: superseded, rejected, forgotten and quarantined ones too"},
	{"a  x", "approve or reject: asks first, and is done as the owner of this store"},
	{"R", "ask for everything here again"},
	{"q", "leave"},
}

func (m *Model) help(height int) []string {
	out := make([]string, 0, height)
	for _, l := range manual {
		const keys = 10
		lines := plain.Lines(l[1], max(m.width-keys-margin, 10))
		for i, text := range lines {
			name := ""
			if i == 0 {
				name = l[0]
			}
			pad := strings.Repeat(" ", max(keys-ansi.StringWidth(name), 0))
			out = append(out, m.o.paint([]piece{{"", "  "}, {bold, name}, {"", pad + text}}, m.width))
		}
	}
	for len(out) < height {
		out = append(out, "")
	}
	return out[:height]
}
