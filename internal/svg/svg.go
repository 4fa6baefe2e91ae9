// Package svg draws a family tree as a picture that stands by itself: no script,
// no font and no address from elsewhere.
package svg

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/stemma-memory/stemma/internal/layout"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/memory"
)

// A Card is one record in the picture.
type Card struct {
	Key   string // tells it from every other
	Kind  string
	Name  string // of the record, in few characters
	Words string
	Tier  string
	When  string
	Flags []string // what must not be overlooked: superseded, disputed, …
	Gone  bool     // hidden, or not held here
	Root  bool     // the one whose tree it is
}

// An Arrow ties a newer card to an older one, by their places in the list.
type Arrow struct {
	Newer, Older int
	Inferred     bool // a person said so later
}

// Measures of the picture, in pixels. Older stands to the left.
const (
	cardWidth   = 252
	cardHeight  = 108
	columnWidth = 322
	rowHeight   = 134
	border      = 28
	top         = 64 // above the cards: the title
	bottom      = 34 // below: what the letters mean
	least       = 560
)

// Draw returns the picture.
func Draw(title string, cards []Card, arrows []Arrow) []byte {
	keys := make([]string, len(cards))
	for i, c := range cards {
		keys[i] = c.Key
	}
	ties := make([]layout.Arrow, len(arrows))
	for i, a := range arrows {
		ties[i] = layout.Arrow{Newer: a.Newer, Older: a.Older}
	}
	d := drawing{plan: layout.Make(keys, ties), cards: cards}
	width := max(2*border+max(d.plan.Layers-1, 0)*columnWidth+cardWidth, least)
	height := top + int(math.Ceil((d.plan.High-d.plan.Low)*rowHeight)) + cardHeight + border + bottom
	d.printf(
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" `+
			`aria-labelledby="title">`+"\n",
		width, height, width, height,
	)
	d.printf("<title id=\"title\">%s</title>\n<style>%s</style>\n", text(title), style())
	d.printf(`<rect class="paper" width="%d" height="%d"/>`+"\n", width, height)
	d.printf(
		`<text class="title" x="%d" y="36">%s</text>`+"\n", border,
		text(cut(title, (width-2*border)*columnsPerTitle/1000)),
	)
	for i, a := range arrows {
		d.arrow(i, a)
	}
	for i := range cards {
		d.card(i)
	}
	d.legend(height)
	d.printf("</svg>\n")
	return d.out.Bytes()
}

type drawing struct {
	plan  layout.Plan
	cards []Card
	out   bytes.Buffer
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// text escapes what is harmless to a terminal for XML, whose characters are
// fewer.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0xFFFE || r == 0xFFFF:
			return '\ufffd'
		}
		return r
	}, plain.Text(s))
	return html.EscapeString(s)
}

// cut makes a line of at most so many columns.
func cut(s string, columns int) string { return plain.Line(s, columns) }

// at returns the upper left corner of a card, or where an arrow passes a layer.
func (d *drawing) at(layer int, place float64) (x, y float64) {
	return float64(border + layer*columnWidth), top + (place-d.plan.Low)*rowHeight
}

// arrow draws a line from the older card's right to the newer one's left, level
// where it passes a layer.
func (d *drawing) arrow(i int, a Arrow) {
	p := &d.plan
	x, y := d.at(p.Layer[a.Older], p.At[a.Older])
	toX, toY := d.at(p.Layer[a.Newer], p.At[a.Newer])
	x, y, toY = x+cardWidth, y+cardHeight/2, toY+cardHeight/2
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", x, y)
	curve := func(cx, cy float64) {
		bow := math.Max((cx-x)/2, 24)
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", x+bow, y, cx-bow, cy, cx, cy)
		x, y = cx, cy
	}
	if p.Layer[a.Older] >= p.Layer[a.Newer] { // a cycle: out and back on the right
		out := math.Max(x, toX+cardWidth) + 40
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", out, y, out, toY, toX+cardWidth, toY)
	} else {
		for j := len(p.Bends[i]) - 1; j >= 0; j-- {
			b := p.Bends[i][j]
			bx, by := d.at(b.Layer, b.At)
			curve(bx, by+cardHeight/2)
			x += cardWidth
			fmt.Fprintf(&path, "H%.1f", x)
		}
		curve(toX, toY)
	}
	class := "tie"
	if a.Inferred {
		class = "tie inferred"
	}
	d.printf(`<path class="%s" d="%s"/>`+"\n", class, path.String())
}

// What fits on a card, in columns of a terminal: letters differ in width, so this
// is on the safe side.
const (
	columnsOfWords  = 28
	rowsOfWords     = 3
	columnsPerTitle = 110 // for 1000 pixels
)

func (d *drawing) card(i int) {
	c := &d.cards[i]
	x, y := d.at(d.plan.Layer[i], d.plan.At[i])
	class := "card k-" + known(c.Kind)
	if c.Gone {
		class += " gone"
	}
	if c.Root {
		class += " root"
	}
	d.printf(`<g class="%s" transform="translate(%.1f %.1f)"><title>%s</title>`+"\n", class, x, y, text(c.whole()))
	d.printf(
		`<rect class="sheet" width="%d" height="%d" rx="5"/><rect class="edge" width="5" height="%d" rx="2.5"/>`+"\n",
		cardWidth, cardHeight, cardHeight,
	)
	d.printf(`%s<text class="letter" x="28" y="28.5" text-anchor="middle">%s</text>`, shape(c.Kind), letter(c.Kind))
	d.printf(`<text class="kind" x="48" y="22">%s</text>`, text(cut(c.Kind, 14)))
	d.printf(`<text class="name" x="%d" y="22" text-anchor="end">%s</text>`+"\n", cardWidth-12, text(cut(c.Name, 14)))
	lines := plain.Lines(strings.Join(strings.Fields(c.Words), " "), columnsOfWords)
	if len(lines) > rowsOfWords {
		lines[rowsOfWords-1] = plain.Cut(lines[rowsOfWords-1]+" "+lines[rowsOfWords], columnsOfWords)
		lines = lines[:rowsOfWords]
	}
	for j, l := range lines {
		d.printf(`<text class="words" x="48" y="%d">%s</text>`, 41+17*j, text(l))
	}
	d.foot(c)
	d.printf("</g>\n")
}

// foot is the last line of a card: how well it is grounded, when, and what must
// not be overlooked.
func (d *drawing) foot(c *Card) {
	const y = cardHeight - 11
	x := 48
	if n, ok := steps[c.Tier]; ok {
		for j := range 4 {
			class := "step"
			if j < n {
				class = "step on"
			}
			d.printf(`<rect class="%s" x="%d" y="%d" width="5" height="%d"/>`, class, x+7*j, y-2-2*j, 3+2*j)
		}
		x += 34
	}
	said := strings.TrimPrefix(c.Tier+" · "+c.When, " · ")
	d.printf(`<text class="foot" x="%d" y="%d">%s</text>`, x, y, text(cut(strings.TrimSuffix(said, " · "), 24)))
	if len(c.Flags) > 0 {
		d.printf(
			`<text class="flag" x="%d" y="-5" text-anchor="end">%s</text>`, cardWidth-4,
			text(cut(strings.Join(c.Flags, ", "), 40)),
		)
	}
}

// steps are how many of four a tier has earned.
var steps = map[string]int{"hypothesis": 1, "inferred": 2, "observed": 3, "grounded": 4}

// whole is what a reader is told who lets the pointer rest on a card.
func (c *Card) whole() string {
	parts := []string{c.Kind + " " + c.Name}
	for _, s := range append([]string{c.Tier, c.When}, c.Flags...) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ") + ": " + cut(c.Words, 400)
}

// legend says what the letters mean of the kinds that are there.
func (d *drawing) legend(height int) {
	x := border
	for _, kind := range memory.Memories() {
		k := string(kind)
		there := false
		for _, c := range d.cards {
			there = there || c.Kind == k
		}
		if !there {
			continue
		}
		d.printf(`<g class="k-%s" transform="translate(%d %d)"><text class="sign" x="0" y="0">%s</text><text `+
			`class="foot" x="14" y="0">%s</text></g>`+"\n",
			k, x, height-16, letter(k), k)
		x += 34 + 7*len(k)
	}
}
