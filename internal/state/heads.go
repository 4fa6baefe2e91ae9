package state

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// Heads returns the current revisions among revisions of one another, the one to
// show first. More than one is a fork: the first is latest in causal order,
// then by its time, then has the smaller ID, so that forks resolve the same way
// everywhere. A revision by somebody who may not decide about the memory replaces nothing.
func Heads(revisions []*memory.Record, who Voices) []*memory.Record {
	byID := make(map[memory.ID]*memory.Record, len(revisions))
	for _, r := range revisions {
		byID[r.ID] = r
	}
	replaced := make(map[memory.ID]bool)
	for _, r := range revisions {
		for _, p := range replaces(r, byID, who) {
			replaced[p.ID] = true
		}
	}
	depth := depths(revisions, byID, who)
	var heads []*memory.Record
	for _, r := range byID {
		if !replaced[r.ID] {
			heads = append(heads, r)
		}
	}
	slices.SortFunc(heads, func(a, b *memory.Record) int {
		return cmp.Or(cmp.Compare(depth[b.ID], depth[a.ID]), latestLast(b, a))
	})
	return heads
}

// replaces returns the records among byID that r rightly supersedes.
func replaces(r *memory.Record, byID map[memory.ID]*memory.Record, who Voices) []*memory.Record {
	var out []*memory.Record
	for _, ref := range r.Header.Provenance.Supersedes {
		if p := byID[ref.ID]; p != nil && May(who.Voice(r), p, who) {
			out = append(out, p)
		}
	}
	return out
}

// depths returns how many earlier revisions each record has. It does not recurse: a chain may
// be long.
func depths(revisions []*memory.Record, byID map[memory.ID]*memory.Record, who Voices) map[memory.ID]int {
	depth := make(map[memory.ID]int, len(revisions))
	for _, r := range revisions {
		stack := []*memory.Record{r}
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			if _, known := depth[top.ID]; known {
				stack = stack[:len(stack)-1]
				continue
			}
			d, ready := 0, true
			for _, p := range replaces(top, byID, who) {
				pd, known := depth[p.ID]
				if !known {
					stack, ready = append(stack, p), false
				}
				d = max(d, pd+1)
			}
			if ready {
				depth[top.ID] = d
				stack = stack[:len(stack)-1]
			}
		}
	}
	return depth
}

// latestLast orders claims so that the last applied wins. What one claim
// replaces is gone before; among the rest time decides, and of two at one time
// the smaller ID counts as the later.
func latestLast(a, b *memory.Record) int {
	return cmp.Or(a.Header.At.Time().Compare(b.Header.At.Time()), b.ID.Compare(a.ID))
}
