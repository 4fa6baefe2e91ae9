package stemma

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Course is how a goal or a drive stands now, as was said of it since it was written.
// Every reading takes it from here.
type Course struct {
	Status    string   `json:"status,omitempty"`    // of a goal
	Progress  string   `json:"progress,omitempty"`  // of a goal
	Intensity *float64 `json:"intensity,omitempty"` // of a drive, as it is now
}

func courseOf(it *store.Item) Course {
	switch it.Ref.Kind {
	case memory.KindGoal:
		return Course{Status: goalStatus(&it.State), Progress: it.State.Progress}
	case memory.KindDrive:
		now := float64(intensity(it)) / float64(memory.Certain)
		return Course{Intensity: &now}
	}
	return Course{}
}

// Now says it in a few words; "" is a goal that is active and of which no more is known.
func (c Course) Now() string {
	switch {
	case c.Intensity != nil:
		return fmt.Sprintf("intensity %.2f", *c.Intensity)
	case c.Progress != "":
		return c.Status + ", " + memory.Cut(memory.FirstLine(c.Progress), mostProgress)
	case c.Status == GoalActive:
		return ""
	}
	return c.Status
}

// coursed says among the marks of a pack how a goal or a drive stands, where that is not
// as it was written.
func coursed(it *store.Item) string {
	if d, ok := it.Record.Body.(*memory.Drive); ok && intensity(it) == d.Intensity {
		return ""
	}
	return courseOf(it).marked()
}

// marked says it among the marks of a pack: words of somebody's are quoted there, so that
// they cannot look like a mark.
func (c Course) marked() string {
	if digits, percent := strings.CutSuffix(c.Progress, "%"); !percent || strings.Trim(digits, "0123456789. ") != "" {
		if c.Progress != "" {
			return c.Status + ", " + pack.Quote(memory.Cut(memory.FirstLine(c.Progress), mostProgress))
		}
	}
	return c.Now()
}

// mostProgress bounds the words of a progress where they stand beside others, in bytes.
const mostProgress = 60
