package evolve

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// Whether two readings speak of one subject.
type likeness int

const (
	apart likeness = iota
	unsure
	same
)

// A comparison is two readings and what they have in common.
type comparison struct {
	o, n       *reading
	subject    likeness
	shared     []string // keys that both have
	topical    int      // of these, without the person spoken of
	oOnly      []token
	nOnly      []token
	family     string // a matter both speak of
	oClass     map[string][]token
	nClass     map[string][]token
	equalValue bool
}

// coverage is how much of the shorter text the two have in common.
func (c *comparison) coverage() float64 {
	least := min(len(c.o.said), len(c.n.said))
	return float64(len(c.shared)) / float64(max(least, 1))
}

func (c *comparison) update(why string, sure float64) *Relation {
	return &Relation{Type: memory.Update, Confidence: sure, Reason: c.reason(why)}
}

func (c *comparison) contradict(why string, sure float64) *Relation {
	return &Relation{Type: memory.Contradict, Confidence: sure, Reason: c.reason(why)}
}

// reason says what became of what.
func (c *comparison) reason(why string) string {
	was, is := excerpt(c.oOnly), excerpt(c.nOnly)
	if was == "" && is == "" {
		return why
	}
	return why + ": " + was + " → " + is
}

func excerpt(ts []token) string {
	const most = 4
	var ws []string
	for _, t := range ts {
		if len(ws) < most && t.text != "" {
			ws = append(ws, shorten.To(t.text, 40))
		}
	}
	return strings.Join(ws, " ")
}
