package state

import "github.com/stemma-memory/stemma/memory"

// A Decision is what was decided about a record, with the records that say so.
// Only what counts in the end is there: a mark that was taken back is not.
type Decision struct {
	Rejected  *memory.Record // the mark that rejects it; nil where none does
	Forgotten *memory.Record // the mark that forgets it
	Replaced  *memory.Record // the revision or the link that puts another in its place
	Kept      bool           // somebody who may approved it, or brought it back
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
