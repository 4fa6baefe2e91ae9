package views

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// settled is what decisions make of one candidate of an answer.
type Settled struct {
	Into   *store.Item // the current memory that has its line and its rank; nil where it has its own. With below, words that stand there already
	Hidden string      // why the answer leaves it out, although its own state does not: rejected or forgotten
	By     memory.Ref  // with hidden: the memory that was decided against
	Below  *store.Item // what replaced it: it stands directly below that, and in no pack
	Newer  *store.Item // what nobody decided on, and is given before it
	Marks  []string    // in a few words, what a reader has to know beside it
	Open   []string    // the same, of links that are not decided
}

// mark says something beside an item, once.
func (d *Settled) Mark(text string) {
	if !slices.Contains(d.Marks, text) {
		d.Marks = append(d.Marks, text)
	}
}
