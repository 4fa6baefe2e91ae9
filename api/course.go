package api

import (
	"fmt"

	"github.com/stemma-memory/stemma/memory"
)

// Course is how a goal or a drive stands now, as was said of it since it was written.
// Every reading takes it from here.
type Course struct {
	Status    string   `json:"status,omitempty"`    // of a goal
	Progress  string   `json:"progress,omitempty"`  // of a goal
	Intensity *float64 `json:"intensity,omitempty"` // of a drive, as it is now
}

// Now says it in a few words; "" is a goal that is active and of which no more is known.
func (c Course) Now() string {
	switch {
	case c.Intensity != nil:
		return fmt.Sprintf("intensity %.2f", *c.Intensity)
	case c.Progress != "":
		return c.Status + ", " + memory.Cut(memory.FirstLine(c.Progress), MostProgress)
	case c.Status == GoalActive:
		return ""
	}
	return c.Status
}

// MostProgress bounds the words of a progress where they stand beside others, in bytes.
const MostProgress = 60
