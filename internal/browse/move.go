package browse

import (
	"context"
	"strings"
	"unicode/utf8"
)

// maxTyped is how many bytes a line may have.
const maxTyped = 1000

// Press carries out the action of a key.
func (m *Model) Press(ctx context.Context, k Key) {
	m.message = ""
	switch {
	case k == Stop:
		m.done = true
	case m.helping:
		m.helping = false
	case m.line != nil:
		m.typing(ctx, k)
	case m.confirm != nil:
		m.decided(ctx, k)
	default:
		m.command(ctx, k)
	}
}

func (m *Model) command(ctx context.Context, k Key) {
	switch k {
	case "q":
		m.done = true
	case "?":
		m.helping = true
	case Up, "k":
		m.step(-1)
	case Down, "j":
		m.step(1)
		m.fail(m.further(ctx))
	case PageUp:
		m.page(-1)
	case PageDown, " ":
		m.page(1)
	case Home, "g":
		m.home(m.here())
	case End, "G":
		m.end()
	case Enter:
		m.open(ctx)
	case Right, "l":
		m.right(ctx)
	case Left, "h":
		m.left()
	case "[", Erase, Escape:
		m.travel(-1)
	case "]":
		m.travel(1)
	case "/":
		m.line = &prompt{label: "search: ", then: m.search}
	case "n":
		m.fail(m.enter(ctx, &hits{limit: firstHits}))
	case "r":
		m.fail(m.enter(ctx, &hits{review: true, limit: firstHits}))
	case "f":
		m.filter(ctx, 1)
	case "F":
		m.filter(ctx, -1)
	case "v":
		m.hidden(ctx)
	case "1", "2", "3", "4", "5", Tab, BackTab, "e", "w", "t", "c":
		m.tab(ctx, k)
	case "+", "-":
		m.fold(k == "+")
	case "a", "x":
		m.wantsDecision(k == "a")
	case "R", Redraw:
		m.reload(ctx)
	}
}

// step selects the next selectable row, or scrolls if there is none.
func (m *Model) step(by int) {
	p := m.here()
	rows, s := m.rows(p), p.sits()
	for i := s.selected + by; s.selected >= 0 && i >= 0 && i < len(rows); i += by {
		if rows[i].selectable() {
			s.selected = i
			m.follow(s)
			return
		}
	}
	m.scroll(by)
}

// scroll moves the view and keeps the selection.
func (m *Model) scroll(by int) {
	p := m.here()
	last := max(len(m.rows(p))-m.height, 0)
	p.sits().top = min(max(p.sits().top+by, 0), last)
}

// page goes on by a screen.
func (m *Model) page(by int) {
	p := m.here()
	rows, s := m.rows(p), p.sits()
	if s.selected < 0 {
		m.scroll(by * m.height)
		return
	}
	at := min(max(s.selected+by*max(m.height-1, 1), 0), len(rows)-1)
	s.selected = nearest(rows, at)
	m.follow(s)
	if by < 0 && at == 0 {
		s.top = 0
	}
}

func (m *Model) end() {
	p := m.here()
	rows, s := m.rows(p), p.sits()
	if s.selected >= 0 {
		s.selected = nearest(rows, len(rows)-1)
	}
	m.scroll(len(rows))
	m.message = ""
}

// travel goes back or forward in the history.
func (m *Model) travel(by int) {
	if at := m.at + by; at >= 0 && at < len(m.been) {
		m.at = at
		return
	}
	if by < 0 {
		m.say("this is where you began; q leaves")
	} else {
		m.say("there is nothing further on")
	}
}

// open goes to the page of the selected row.
func (m *Model) open(ctx context.Context) {
	r, ok := m.current()
	if !ok || r.ref == "" {
		return
	}
	if r.branch != nil && r.branch.node.Missing {
		m.say("it is cited, but not held in this store")
		return
	}
	if p, isPage := m.here().(*page); isPage && p.shown.Ref == r.ref {
		m.say("you are there")
		return
	}
	m.fail(m.enter(ctx, &page{ref: r.ref}))
}

// right opens a branch, or goes into it; elsewhere it opens.
func (m *Model) right(ctx context.Context) {
	r, ok := m.current()
	p, isPage := m.here().(*page)
	if !ok || !isPage || r.branch == nil {
		m.open(ctx)
		return
	}
	b := r.branch
	switch {
	case b.node.Seen:
		m.choose(func(o row) bool { return o.branch != nil && o.branch.node.ID == b.node.ID && !o.branch.node.Seen })
	case b.open:
		if len(b.kids) > 0 {
			m.step(1)
		}
	default:
		m.fail(p.unfold(ctx, m.ask, b))
	}
}

// left closes a branch, or goes to what it hangs under, or back.
func (m *Model) left() {
	r, ok := m.current()
	p, isPage := m.here().(*page)
	if !ok || !isPage || r.branch == nil {
		m.travel(-1)
		return
	}
	b := r.branch
	switch {
	case b.open && len(b.kids) > 0:
		b.open = false
		p.drop()
	case b.parent != nil:
		m.choose(func(o row) bool { return o.branch == b.parent })
	default:
		m.travel(-1)
	}
}

// choose selects the first row that is wanted, if there is one.
func (m *Model) choose(wanted func(row) bool) {
	p := m.here()
	for i, r := range m.rows(p) {
		if wanted(r) {
			p.sits().selected = i
			m.follow(p.sits())
			return
		}
	}
}

// reload asks for everything here again.
func (m *Model) reload(ctx context.Context) {
	p := m.here()
	m.fail(p.load(ctx, m.ask))
	p.sits().drop()
}

// search is what the prompt of / does.
func (m *Model) search(ctx context.Context, words string) {
	next := &hits{query: words, limit: firstHits}
	if h, ok := m.here().(*hits); ok {
		next.kind, next.all = h.kind, h.all
	}
	m.fail(m.enter(ctx, next))
}

// Start begins at a record, at the results for words or, for neither, at the newest memories.
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

func (m *Model) typing(ctx context.Context, k Key) {
	p := m.line
	switch k {
	case Escape:
		m.line = nil
		m.say("left as it was")
	case Enter:
		m.line = nil
		p.then(ctx, strings.TrimSpace(p.text))
	case Erase:
		_, n := utf8.DecodeLastRuneInString(p.text)
		p.text = p.text[:len(p.text)-n]
	default:
		if s, ok := k.typed(); ok && len(p.text) < maxTyped {
			p.text += s
		}
	}
}
