package memory

import "time"

// A Decision is what was decided about a record, with the records that say so.
// Only what counts in the end is there: a mark that was taken back is not.
type Decision struct {
	Rejected  *Record // the mark that rejects it; nil where none does
	Forgotten *Record // the mark that forgets it
	Replaced  *Record // the revision or the link that puts another in its place
	Kept      bool    // somebody who may approved it, or brought it back
}

// Decide returns what was decided about r at the instant now, by the same rules as
// Fold.
func Decide(r *Record, about []*Record, now time.Time, who Standing) Decision {
	s := Initial(r)
	f := folding{r: r, s: &s, who: who}
	for _, c := range f.effective(about, now) {
		f.apply(c)
	}
	f.chooseRevision()
	return f.said
}

// decide keeps which mark counts.
func (d *Decision) decide(c *Record, verb string) {
	switch verb {
	case Approve:
		d.Rejected, d.Kept = nil, true
	case Reject:
		d.Rejected, d.Kept = c, false
	case Forget:
		d.Forgotten, d.Kept = c, false
	case Recover:
		d.Forgotten, d.Kept = nil, true
	}
}
