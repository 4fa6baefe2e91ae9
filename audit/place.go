package audit

import "github.com/stemma-memory/stemma/internal/ledger"

// spaceLog is the log of one space, as far as it is here.
type spaceLog struct {
	held   *held
	places places // of whatever is held under their ids
	gap    int64  // the first place of a store's log that is missing; 0 if none is
	proofs []proven
	noted  bool // there is a checkpoint of it
	tree   *ledger.Tree
}

// homeless is an id whose line does not say of which space it is: that of a
// purged record, or one that cannot be read.
type homeless struct {
	number  int32 // under which its id is held
	erasure int   // its index, or noFact
}

// size returns how many records of a log are here.
func (l *spaceLog) size() int64 { return l.places.n }

// ids gives a tree the ids of a log.
func (l *spaceLog) ids(from, to int64) ([]ledger.Hash, error) {
	out := make([]ledger.Hash, to-from)
	for i := range out {
		out[i] = ledger.Hash(*l.held.id(l.places.at(from + int64(i))))
	}
	return out, nil
}

// log returns the log of a space, which is new if there was none.
func (a *Auditor) log(space string) *spaceLog {
	l := a.logs[space]
	if l == nil {
		l = &spaceLog{held: &a.held}
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
		if want := l.size() + 1; seq > 0 && seq != want && l.gap == 0 {
			l.gap = want
		}
		l.places.add(w.number)
		if w.erasure != noFact {
			a.erased[w.erasure].spaces = [2]string{before, space}
		}
	}
	a.waiting = a.waiting[:0]
	a.current, a.last = space, space
	if seq == 0 {
		seq = l.size()
	}
	return seq
}

// finishPlaces settles what no line of a space came after.
func (a *Auditor) finishPlaces() {
	if len(a.waiting) > 0 && a.last != "" {
		a.settle(a.last, 0)
	}
}
