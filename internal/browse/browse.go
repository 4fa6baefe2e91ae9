// Package browse is the walk through the tree on a terminal's whole screen: a
// model that takes keys and gives text, and asks operations for what it shows.
package browse

import (
	"context"
	"errors"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/plain"
)

// Asker answers what the screen shows. An engine does.
type Asker interface {
	List(context.Context, api.ListRequest) (api.ListReply, error)
	Search(context.Context, api.SearchRequest) (api.SearchReply, error)
	Review(context.Context, api.ReviewRequest) (api.ReviewReply, error)
	Show(context.Context, api.ShowRequest) (api.ShowReply, error)
	Trace(context.Context, api.TraceRequest) (api.TraceReply, error)
	Evidence(context.Context, api.EvidenceRequest) (api.EvidenceReply, error)
	Trust(context.Context, api.ShowRequest) (api.TrustReply, error)
	History(context.Context, api.ShowRequest) (api.HistoryReply, error)
	ConfidenceHistory(context.Context, api.ShowRequest) (api.ConfidenceHistoryReply, error)
	Approve(context.Context, api.DecideRequest) (api.DecideReply, error)
	Reject(context.Context, api.DecideRequest) (api.DecideReply, error)
}

// Options say how a walk looks and what it may do. The zero value is plain and
// decides nothing.
type Options struct {
	Color  bool
	Decide bool // the one at the keys may approve and reject
}

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

// A place is something that fills the screen and can be come back to.
type place interface {
	title() string
	load(context.Context, Asker) error
	draw(width int) []row
	// about says more of the selected row.
	about(r row) string
	sits() *seat
}

// A seat is where in a place one stands. Its rows are drawn again when they were
// dropped, or the screen has another width.
type seat struct {
	selected, top int
	rows          []row
	width         int
	stale         bool // the rows are not true any more
}

func (s *seat) sits() *seat { return s }
func (s *seat) drop()       { s.stale = true }

// New makes a walk that has not begun.
func New(ask Asker, o Options) *Model { return &Model{ask: ask, o: o, height: 20, width: 80} }

// Start begins at a record, at what is found for words, or, for neither, at the
// newest memories.
func (m *Model) Start(ctx context.Context, ref, words string) error {
	if ref != "" {
		return m.enter(ctx, &page{ref: ref})
	}
	return m.enter(ctx, &hits{query: words, limit: firstHits})
}

// StartReview begins at what waits for a decision.
func (m *Model) StartReview(ctx context.Context) error {
	return m.enter(ctx, &hits{review: true, limit: firstHits})
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

// home stands on the first row of a place that can be selected; on a page on
// the first under its head, if there is one.
func (m *Model) home(p place) {
	s := p.sits()
	rows, head := m.rows(p), 0
	s.selected, s.top = -1, 0
	if of, ok := p.(*page); ok {
		head = of.heads
	}
	for i, r := range rows {
		if r.selectable() && (s.selected < 0 || i >= head) {
			s.selected = i
			if i >= head {
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

// refound finds a row among new ones: itself, what it hung under, or what is
// nearest to where it was.
func refound(rows []row, old row, at int) int {
	for b := old.branch; b != nil; b = b.parent {
		for i, r := range rows {
			if r.branch == b {
				return i
			}
		}
	}
	for i, r := range rows {
		if r.ref == old.ref && (r.branch == nil) == (old.branch == nil) {
			return i
		}
	}
	return nearest(rows, at)
}

// nearest finds the row to select where the one that was is no more.
func nearest(rows []row, at int) int {
	at = min(at, len(rows)-1)
	for d := range len(rows) {
		for _, i := range []int{at - d, at + d} {
			if i >= 0 && i < len(rows) && rows[i].selectable() {
				return i
			}
		}
	}
	return -1
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
		m.message, m.wrong = plain.Line(err.Error(), maxMessage), true
	}
}

const (
	margin     = 2 // columns for the mark of the selected row
	maxMessage = 400
)
