package core

import (
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// holds tells whether what r says held at a time; what says no times held always.
func Holds(r *memory.Record, at time.Time) bool {
	from, until := r.Header.ValidFrom, r.Header.ValidUntil
	return (from.IsZero() || !at.Before(from.Time)) && (until.IsZero() || at.Before(until.Time))
}
