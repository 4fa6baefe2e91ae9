package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// sureOfExtend is how sure the rules are of what extends.
const sureOfExtend = 0.4

// extends returns the relation of a new text that says all that the old one says and adds to it, or nil. The
// old one still holds.
func (c *comparison) extends() *Relation {
	o, n := c.o, c.n
	if c.subject == apart || len(c.shared) < 2 || len(c.nOnly) == 0 && (!n.reasoned || o.reasoned) ||
		!n.reasoned && len(n.tokens) <= len(o.tokens) {
		return nil
	}
	for _, t := range c.oOnly {
		if t.name || !verbForms()[t.word] && !light.Has(t.word) {
			return nil
		}
	}
	if o.denies() != n.denies() || c.flips() != "" || c.turned() != "" || o.supposed || n.phrase() != "" ||
		c.otherMeasure() || c.occasions() || change(o, n) != "" || o.head != "" && n.said[o.head] == 0 {
		return nil
	}
	if line := n.line(); strings.Contains(line, " only ") || strings.Contains(line, " except ") ||
		strings.Contains(line, " unless ") {
		return nil
	}
	return &Relation{Type: memory.Extend, Confidence: sureOfExtend, Reason: "adds: " + excerpt(c.nOnly)}
}
