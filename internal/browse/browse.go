// Package browse is the walk through the tree on a terminal's whole screen: a
// model that takes keys and gives text, and asks operations for what it shows.
package browse

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/internal/plain"
)

// A Model is one walk. Press moves it, Screen shows it.
type Model struct {
	ask     Asker
	o       Options
	been    []place // in the order of going
	at      int     // which of them is shown
	line    *prompt // a line is being typed
	confirm *decision
	helping bool
	message string // about the last key
	wrong   bool   // the message tells of an error
	done    bool
	height  int // lines for rows when the screen was last drawn
	width   int
}

// New makes a walk that has not begun.
func New(ask Asker, o Options) *Model {
	if o.Typed == nil {
		o.Typed = func(text string) string { return text }
	}
	return &Model{ask: typing{ask, o.Typed}, o: o, height: 20, width: 80}
}

// Done reports whether the walk is over.
func (m *Model) Done() bool { return m.done }

// enter goes to a new place; what was ahead in the history is forgotten. A
// place that cannot be loaded is not entered.
func (m *Model) enter(ctx context.Context, p place) error {
	if err := p.load(ctx, m.ask); err != nil {
		return err
	}
	if len(m.been) > 0 {
		m.been = m.been[:m.at+1]
	}
	m.been = append(m.been, p)
	m.at = len(m.been) - 1
	m.home(p)
	return nil
}

// home selects the first selectable row of a place; on a page the first one below its head, if
// there is one.
func (m *Model) home(p place) {
	s := p.sits()
	rows := m.rows(p)
	s.selected, s.top = -1, 0
	for i, r := range rows {
		if r.selectable() && (s.selected < 0 || i >= s.heads) {
			s.selected = i
			if i >= s.heads {
				break
			}
		}
	}
	m.follow(s)
}

func (m *Model) here() place { return m.been[m.at] }

// rows returns the rows of a place for the width of the screen.
func (m *Model) rows(p place) []row {
	s := p.sits()
	if s.width == m.width && !s.stale {
		return s.rows
	}
	old := s.rows
	s.rows, s.width, s.stale = p.draw(max(m.width-margin, 1)), m.width, false
	if s.selected >= 0 && s.selected < len(old) {
		s.selected = refound(s.rows, old[s.selected], s.selected)
		m.follow(s)
	}
	return s.rows
}

// current is the selected row of the place that is shown, if there is one.
func (m *Model) current() (row, bool) {
	p := m.here()
	rows := m.rows(p)
	if i := p.sits().selected; i >= 0 && i < len(rows) {
		return rows[i], true
	}
	return row{}, false
}

// say puts a message under the rows until the next key.
func (m *Model) say(text string) { m.message, m.wrong = text, false }

// fail puts what went wrong there.
func (m *Model) fail(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		m.message, m.wrong = plain.Line(m.o.Typed(err.Error()), maxMessage), true
	}
}

const (
	margin = 2 // columns for the mark of the selected row
)

// follow scrolls so that the selected row and what belongs to it are seen, and
// to the very top where that leaves it in sight.
func (m *Model) follow(s *seat) {
	rows, last := s.rows, s.selected
	for last+1 < len(rows) && rows[last+1].below {
		last++
	}
	s.top = min(s.top, s.selected)
	s.top = max(s.top, last-m.height+1)
	if last < m.height && nearest(rows, 0) == s.selected {
		s.top = 0
	}
	s.top = max(s.top, 0)
}
