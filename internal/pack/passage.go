package pack

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/sentences"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/tokens"
	"github.com/stemma-memory/stemma/internal/words"
)

// A turn is what one record says, as it may be shown: an entry of its own, or one of a conversation.
type turn struct {
	Turn
	whole  string // all of it, on one line
	words  int    // of it, when counted
	pieces []piece
	parted bool

	alone, among     tokens.Cost // of it as an entry of its own, and among others of a conversation, when known
	weighs, weighsIn bool

	passages map[int]string // that were chosen, by their room
	most     int            // tokens: all of it has more
}

// newTurn returns a turn with all that it says.
func newTurn(t Turn) *turn {
	out := &turn{Turn: t, whole: harmless(t.Text)}
	out.Ref, out.By, out.At = oneLine(t.Ref, maxRef), oneLine(t.By, maxName), oneLine(t.At, maxName)
	out.Marks = slices.Clone(t.Marks)
	for i := range out.Marks {
		out.Marks[i] = oneLine(out.Marks[i], maxWhy)
	}
	return out
}

// mayFit reports whether all of a turn may have at most so many tokens. It counts only what is long: what is short is
// weighed as it will be printed.
func (t *turn) mayFit(most int) bool {
	if len(t.whole) <= dense*most {
		return true
	}
	if most <= t.most {
		return false
	}
	is := tokens.Fits(t.whole, most)
	if !is {
		t.most = most
	}
	return is
}

// inAll counts the words of a turn.
func (t *turn) inAll() int {
	if t.words == 0 {
		t.words = len(strings.Fields(t.whole))
	}
	return t.words
}

// How many terms of a question are looked for, and what a sentence has besides that meaning found.
const (
	mostTerms = 63
	isNear    = 1 << mostTerms
	nearHead  = 40 // bytes of the beginning of what meaning found, by which its place in a sentence is known
)

// part parts a turn into its sentences and looks which of the question's terms each has.
func (t *turn) part(asked []string) {
	if t.parted {
		return
	}
	t.parted = true
	from := strings.Index(t.Text, t.Near)
	to, at := from+len(t.Near), 0
	found := t.Near != "" && from >= 0
	for _, s := range sentences.Split(t.Text) {
		p := piece{text: harmless(s)}
		at += max(0, strings.Index(t.Text[at:], s))
		within := min(to, at+len(s)) - max(from, at)
		if found && 2*within > min(len(s), len(t.Near)) {
			p.has = isNear
			if at < from { // it begins within
				p.from = p.placeOf(harmless(shorten.To(t.Near, nearHead)), (from-at)*len(p.text)/len(s))
			}
		}
		if len(asked) > 0 && (!found || p.has == isNear) { // what else has words of the question did not answer it
			for _, term := range words.Terms(s) {
				if at := slices.Index(asked[:min(len(asked), mostTerms)], term); at >= 0 {
					p.has |= 1 << at
				}
			}
		}
		t.pieces = append(t.pieces, p)
	}
}

// Passage returns what a text says to a question in about so many tokens, and how many words it has in full; 0 is
// that it is given as it is. near is the part of it that meaning found.
func Passage(text string, asked []string, near string, most int) (passage string, of int) {
	if tokens.Fits(text, most) {
		return text, 0
	}
	t := newTurn(Turn{Text: text, Near: near})
	return t.passage(asked, most), t.inAll()
}

// passage returns what a turn says to a question in about so many tokens: the sentences that have most of what is
// asked, those between them, and then their neighbours, in their order. "" is that nothing fits.
func (t *turn) passage(asked []string, room int) string {
	if known, is := t.passages[room]; is {
		return known
	}
	if t.passages == nil {
		t.passages = map[int]string{}
	}
	t.passages[room] = t.choose(asked, room)
	return t.passages[room]
}

func (t *turn) choose(asked []string, room int) string {
	t.part(asked)
	if len(t.pieces) == 0 {
		return ""
	}
	p := passing{pieces: t.pieces, taken: make([]bool, len(t.pieces)), room: room - 2*gapCost}
	at := p.answers()
	if at < 0 {
		return t.pieces[p.best()].cutAround(asked, room) // not one sentence fits
	}
	p.between()
	p.around(at)
	return p.text()
}

// passing is a passage being chosen.
type passing struct {
	pieces []piece
	taken  []bool
	room   int    // tokens left
	part   string // the beginning of a sentence of which the rest does not fit
	partAt int
}

// gain counts the terms of a piece that are still wanted.
func gain(has, wanted uint64) (n int) {
	for both := has & wanted; both != 0; both &= both - 1 {
		n++
	}
	return n
}

// best returns the piece that has most of what is asked, the first of equals.
func (p *passing) best() int {
	best := 0
	for i := range p.pieces {
		if gain(p.pieces[i].has, ^uint64(0)) > gain(p.pieces[best].has, ^uint64(0)) {
			best = i
		}
	}
	return best
}

// take takes a piece if it fits.
func (p *passing) take(i int) bool {
	if p.taken[i] {
		return false
	}
	room := p.room
	if i > 0 && !p.taken[i-1] {
		room--
	}
	cost, fits := p.pieces[i].within(room)
	if !fits {
		return false
	}
	cost += p.room - room
	p.taken[i], p.room = true, p.room-cost
	return true
}

// answers takes the sentences that answer, until each term of the question that is there is in one of them. It returns
// the first that was taken, below 0 for none.
func (p *passing) answers() int {
	wanted, first := uint64(0), -1
	for i := range p.pieces {
		wanted |= p.pieces[i].has
		if first < 0 && p.pieces[i].has&isNear != 0 && p.take(i) { // the first that fits of what meaning found
			first = i
		}
	}
	if first >= 0 {
		wanted &^= p.pieces[first].has
	}
	for wanted != 0 {
		best, most := -1, 0
		for i := range p.pieces {
			if n := gain(p.pieces[i].has, wanted); n > most && !p.taken[i] {
				best, most = i, n
			}
		}
		if best < 0 || !p.take(best) {
			break
		}
		if first < 0 {
			first = best
		}
		wanted &^= p.pieces[best].has
	}
	if first < 0 && p.take(p.best()) {
		return p.best()
	}
	return first
}

// between takes what stands between the sentences that were taken: the shortest gaps first, as far as they fit.
func (p *passing) between() {
	type hole struct{ from, to, cost int }
	var holes []hole
	last := -1
	for i, is := range p.taken {
		if !is {
			continue
		}
		if last >= 0 && i > last+1 {
			h := hole{from: last + 1, to: i}
			for j := h.from; j < h.to; j++ {
				h.cost += p.pieces[j].tokens()
			}
			holes = append(holes, h)
		}
		last = i
	}
	slices.SortStableFunc(holes, func(a, b hole) int { return a.cost - b.cost })
	for _, h := range holes {
		if h.cost > p.room {
			return
		}
		for j := h.from; j < h.to; j++ {
			p.take(j)
		}
	}
}

// around takes the neighbours of what was taken, those after it before those ahead of it.
func (p *passing) around(at int) {
	ends := func() (before, after int) {
		for after = at; after < len(p.taken) && p.taken[after]; after++ {
		}
		for before = at; before >= 0 && p.taken[before]; before-- {
		}
		return before, after
	}
	for {
		before, after := ends()
		switch {
		case after < len(p.taken) && p.take(after):
		case before >= 0 && p.take(before):
		default:
			if after < len(p.taken) && after > 0 {
				p.partAt, p.part = after, p.pieces[after].cutTo(p.room-gapCost)
			}
			return
		}
	}
}

// text sets the sentences one behind the other, with a sign where others stood between.
func (p *passing) text() string {
	var b strings.Builder
	left := false
	for i := range p.pieces {
		text := p.pieces[i].text
		cut := false
		if !p.taken[i] {
			if i != p.partAt || p.part == "" {
				left = true
				continue
			}
			text, cut = p.part, true
		}
		if left {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(gap)
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text)
		left = false
		if cut { // its own sign stands at its end
			left = i+1 < len(p.pieces) && p.taken[i+1]
			if !left && i+1 < len(p.pieces) {
				break
			}
		}
	}
	if left {
		b.WriteString(" " + gap)
	}
	return b.String()
}
