package audit

import (
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// spaceLog is the log of one space, as far as it is here.
type spaceLog struct {
	ids    []ledger.Hash
	gap    int64 // the first place of a store's log that is missing; 0 if none is
	proofs []proven
	noted  bool // there is a checkpoint of it
	tree   *ledger.Tree
}

// homeless is an id whose line does not say of which space it is: that of a
// purged record, or one that cannot be read.
type homeless struct {
	id      memory.ID
	erasure int // its index, or noFact
}

// log returns the log of a space, which is new if there was none.
func (a *Auditor) log(space string) *spaceLog {
	l := a.logs[space]
	if l == nil {
		l = new(spaceLog)
		a.logs[space] = l
		a.order = append(a.order, space)
	}
	return l
}

// settle says that a line of a space has come: what waited before it is of that
// space too. A bundle has one space after the other, each with the checkpoint
// behind it, so that in this way only the end of a log without a checkpoint can
// be taken for the beginning of the next. It gives the place of the last.
func (a *Auditor) settle(space string, seq int64) int64 {
	l := a.log(space)
	before := a.current
	if before == "" {
		before = space
	}
	for _, w := range a.waiting {
		if want := int64(len(l.ids)) + 1; seq > 0 && seq != want && l.gap == 0 {
			l.gap = want
		}
		l.ids = append(l.ids, ledger.Hash(w.id))
		if w.erasure != noFact {
			a.erased[w.erasure].spaces = [2]string{before, space}
		}
	}
	a.waiting = a.waiting[:0]
	a.current, a.last = space, space
	if seq == 0 {
		seq = int64(len(l.ids))
	}
	return seq
}

// finishPlaces settles what no line of a space came after.
func (a *Auditor) finishPlaces() {
	if len(a.waiting) > 0 && a.last != "" {
		a.settle(a.last, 0)
	}
}
