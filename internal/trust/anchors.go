package trust

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// A RefusedAnchor is an anchor that is worth nothing, and why.
type RefusedAnchor struct {
	ID              memory.ID
	Type, Reference string
	Why             string
}

// A mooring is what the anchors came to.
type mooring struct {
	classes int
	flags   map[string]bool
	refused []RefusedAnchor
}

// moor counts the anchors that hold: each place once, and by classes.
func moor(anchors []Anchor) mooring {
	m := mooring{flags: make(map[string]bool)}
	type place struct{ typ, reference string }
	places, classes := make(map[place]bool), make(map[string]bool)
	for _, a := range sorted(anchors) {
		flag, why := wrong(a)
		if flag != "" {
			m.flags[flag] = true
		}
		at := place{a.Type, a.Reference}
		switch {
		case why != "":
		case places[at]:
			why = "the same place again"
		case classes[a.Class] || a.Class == "" && len(classes) > 0:
			why = "not independent of another anchor"
		}
		if why != "" {
			m.refused = append(m.refused, RefusedAnchor{a.ID, a.Type, a.Reference, why})
			continue
		}
		places[at], classes[a.Class] = true, true
	}
	m.classes = len(classes)
	return m
}

// wrong returns why an anchor counts for nothing by itself, and its flag. An anchor that is
// not bound to this memory says nothing about it, whatever its status.
func wrong(a Anchor) (flag, why string) {
	switch {
	case !a.Bound:
		return FlagAnchorNotBound, "does not name this memory, and its author did not sign it in"
	case a.Status == Verified:
		return "", ""
	case a.Status == Changed:
		return FlagAnchorChanged, "its target has changed"
	case a.Status == Gone:
		return FlagAnchorChanged, "what was there is gone"
	case a.Status == Stale:
		return FlagAnchorStale, "was not checked again in time"
	case a.Status == Unreachable:
		return FlagAnchorUnverifiable, "could not be reached"
	}
	return FlagAnchorUnverifiable, "cannot be checked here"
}

// sorted returns each anchor once, in an order of its own: those of no known class
// come last, since each may be of any class that is known.
func sorted(list []Anchor) []Anchor {
	out := slices.Clone(list)
	sorting.By(out, func(a, b Anchor) int {
		return cmp.Or(compareBool(
			a.Class == "", b.Class == "",
		), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Reference, b.Reference),
			cmp.Compare(a.Class, b.Class), a.ID.Compare(b.ID),
			cmp.Compare(a.Status, b.Status), compareBool(a.Bound, b.Bound))
	})
	return slices.Compact(out)
}
