package state

import (
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// A Decision is what was decided about a record, with the records that say so.
// Only what counts in the end is there: a mark that was taken back is not.
type Decision struct {
	Rejected  *memory.Record // the mark that rejects it; nil where none does
	Forgotten *memory.Record // the mark that forgets it
	Replaced  *memory.Record // the revision or the link that puts another in its place
	Kept      bool           // somebody who may approved it, or brought it back
}

// Decide returns what was decided about r at the instant now, by the same rules as
// Fold.
func Decide(r *memory.Record, about []*memory.Record, now time.Time, who Standing) Decision {
	s := Initial(r)
	f := folding{r: r, s: &s, who: who}
	for _, c := range f.effective(about, now) {
		f.apply(c)
	}
	f.chooseRevision()
	return f.said
}

// decide keeps which mark counts.
func (d *Decision) decide(c *memory.Record, verb string) {
	switch verb {
	case memory.Approve:
		d.Rejected, d.Kept = nil, true
	case memory.Reject:
		d.Rejected, d.Kept = c, false
	case memory.Forget:
		d.Forgotten, d.Kept = c, false
	case memory.Recover:
		d.Forgotten, d.Kept = nil, true
	}
}
