package store

import (
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// Recompute computes the states of records again, from the claims about them and what they
// rest on. It is for a store whose arrows are all written and whose states are not:
// a caller hands over all records, some at a time. awaited reports whether a record that
// was handed over before points at one.
//
// What a purge erased is taken from the states that rows has, since nothing else says it.
func Recompute(rows Rows, rs []*memory.Record, awaited func(memory.ID) bool, now time.Time) error {
	f := newRefold(rows, now)
	for _, r := range rs {
		f.want(r.ID)
		for _, src := range r.Header.Provenance.From {
			f.resting[src.ID] = append(f.resting[src.ID], r.ID)
		}
		if len(r.Header.Provenance.Supersedes) > 0 || awaited(r.ID) {
			f.forked = append(f.forked, r.ID)
		}
		if awaited(r.ID) {
			f.tell(r.ID)
		} else {
			f.fresh[r.ID] = true
		}
	}
	return f.run()
}
