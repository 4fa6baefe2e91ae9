package core

import (
	"fmt"

	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// decimalTrust shows ten-thousandths.
func DecimalTrust(n int) float64 { return float64(n) / score.One }

// hidden says in a word why search and lists leave a record out; "" if they do
// not.
func Hidden(s *memory.State) string {
	switch {
	case s.Purged:
		return "purged"
	case s.Forgotten:
		return "forgotten"
	case s.Quarantined:
		return "quarantined"
	case s.Review == memory.ReviewRejected:
		return "rejected"
	case !s.SupersededBy.IsZero():
		return "superseded"
	case s.Outranked:
		return "outranked"
	}
	return ""
}

// plural is "1 episode", "3 episodes", "2 entries" … for the kinds there are.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
