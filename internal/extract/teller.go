package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

// A teller is somebody whose sentences are read: who, when, and in what kind of text.
type teller struct {
	name  string          // "" is the user, whose words are kept as they are
	now   time.Time       // zero where it is not known
	known map[string]bool // names that are known, in small letters
	talk  bool            // among people: only what they say of themselves counts
}

// Confidences by rule: what a rule reads is no more than likely.
const (
	likely   memory.Confidence = 700
	fair     memory.Confidence = 600
	possible memory.Confidence = 500
	hedging  memory.Confidence = 150 // less, where the words say themselves that they are not sure
	least    memory.Confidence = 350
)

// accepts reports whether the subject of c is one that t speaks for or names.
func (t teller) accepts(c clause) bool {
	if t.talk {
		return first(c.person) && !c.addresses()
	}
	return true
}

// vague words as an object leave open what is meant.
var vague = lazy.Words(`it that this them him her you one so there here these those such all everything something
	anything nothing me us they what how who ya y'all your yourself`)

// object returns the first word of what the verb of c speaks of, behind prepositions; "" for none.
func (c clause) object() string {
	i := c.rest
	for i < len(c.words) && (adverbs.Has(c.words[i].low) || slices.Contains(
		[]string{"to", "at", "for", "with", "in", "on", "of", "from", "about", "as", "into", "up"},
		c.words[i].low,
	)) {
		i++
	}
	if i >= len(c.words) {
		return ""
	}
	head, _, _ := strings.Cut(c.words[i].low, "'")
	return head
}

// clear reports whether it is said what c speaks of.
func (c clause) clear() bool {
	o := c.object()
	return o != "" && !vague.Has(o)
}

// draft makes a memory of a clause, said of the teller.
func (t teller) draft(c clause, kind memory.Kind, typ, rule string, conf memory.Confidence) Draft {
	end := len(c.words)
	if t.talk {
		end = c.end()
	}
	d := Draft{Kind: kind, Type: typ, Text: c.thirdPerson(t.name, end), Confidence: conf, Rule: rule}
	if kind == memory.KindNote {
		d.Speaker = t.name
	}
	return d
}
