package pack

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/tokens"
)

// A selection says what is shown.
type selection struct {
	views  []view        // of each entry; the zero view is not shown
	weight []tokens.Cost // of each entry as it is shown
	count  []int         // of what answers in each section
	sum    []tokens.Cost // of each section's entries
	terse  int
	needs  []int // of each section, the budget that would hold all of it, if asked and known
}

// A view is what is shown of an entry, turn by turn in their order.
type view struct {
	turns []shown
	bare  bool // little else is said of it
}

// shown is a turn as it is shown.
type shown struct {
	turn int
	cut  bool
	text string // where it is cut
}

func (v view) has(turn int) bool {
	return slices.ContainsFunc(v.turns, func(s shown) bool { return s.turn == turn })
}

// with returns a view with one more turn, or with another form of it.
func (v view) with(s shown) view {
	turns := slices.DeleteFunc(slices.Clone(v.turns), func(o shown) bool { return o.turn == s.turn })
	at, _ := slices.BinarySearchFunc(turns, s, func(a, b shown) int { return a.turn - b.turn })
	return view{slices.Insert(turns, at, s), v.bare}
}

func (s *selection) clone() selection {
	return selection{
		views: slices.Clone(s.views), weight: slices.Clone(s.weight), count: slices.Clone(s.count),
		sum: slices.Clone(s.sum), terse: s.terse, needs: slices.Clone(s.needs),
	}
}

func (s *selection) any() bool {
	return slices.ContainsFunc(s.count, func(n int) bool { return n > 0 })
}
