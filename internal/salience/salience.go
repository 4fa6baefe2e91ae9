// Package salience says how much a memory still matters to its store, and which
// memories no cycle of forgetting may take.
package salience

import (
	"fmt"
	"math"
	"time"
)

// The defaults of a cycle of forgetting.
const (
	Threshold = 0.3                 // below it a memory may be forgotten
	MinAge    = 90 * 24 * time.Hour // unused for less, nothing is
	HalfLife  = 30 * 24 * time.Hour
)

// Terms are what a salience is made of.
type Terms struct {
	Confidence float64 `json:"confidence"`
	Times      int     `json:"times_accessed"` // its creation is the first
	Days       float64 `json:"days_since_access"`
	HalfLife   float64 `json:"half_life_days"`
	Salience   float64 `json:"salience"`
}

// Of computes the salience of a memory that was created, or came, at one time and
// was read so many times since, at last at another (zero is never).
func Of(confidence float64, created time.Time, reads int, last, now time.Time, halfLife time.Duration) Terms {
	if last.Before(created) {
		last = created
	}
	t := Terms{
		Confidence: confidence, Times: reads + 1, Days: max(0, now.Sub(last).Hours()/24), HalfLife: halfLife.Hours() / 24,
	}
	t.Salience = t.Confidence * math.Log(float64(t.Times)+1) / (t.Days/t.HalfLife + 1)
	return t
}

// String writes the formula with its terms: 0.80 × ln(1+1) / (91.0/30 + 1) = 0.137.
func (t Terms) String() string {
	return fmt.Sprintf("%.2f × ln(%d+1) / (%.1f/%g + 1) = %.3f", t.Confidence, t.Times, t.Days, t.HalfLife, t.Salience)
}

// Facts are what decides whether a memory may be forgotten at all.
type Facts struct {
	Identity   bool // a value or a drive
	Protected  bool
	Constraint bool
	Approved   bool // by a person; grounded ones are
	Foreign    bool // its author's own, and the one who asks may not hide it
	Persons    bool // a person's word, or approved by one, and the one who asks is an agent
	Decided    bool // the owner brought it back, and the one who asks is not the owner
}

// A Reason says in a few words why a memory is kept.
type Reason string

// The reasons. The last is not a fact of the memory alone: it follows from what
// rests on it.
const (
	None       Reason = ""
	Identity   Reason = "a value or a drive"
	Protected  Reason = "protected"
	Constraint Reason = "a constraint"
	Approved   Reason = "approved"
	Foreign    Reason = "somebody else's"
	Persons    Reason = "a person's word, or approved by one"
	Decided    Reason = "brought back by its owner"
	RestedOn   Reason = "something rests on it alone"
)

// Keeps says why a memory is never forgotten; None if it may be.
func (f Facts) Keeps(includeApproved bool) Reason {
	switch {
	case f.Identity:
		return Identity
	case f.Protected:
		return Protected
	case f.Constraint:
		return Constraint
	case f.Approved && !includeApproved:
		return Approved
	case f.Persons:
		return Persons
	case f.Foreign:
		return Foreign
	case f.Decided:
		return Decided
	}
	return None
}
