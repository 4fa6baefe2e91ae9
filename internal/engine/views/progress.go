package views

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

func CourseOf(it *store.Item) api.Course {
	switch it.Ref.Kind {
	case memory.KindGoal:
		return api.Course{Status: core.GoalStatus(&it.State), Progress: it.State.Progress}
	case memory.KindDrive:
		now := float64(core.Intensity(it)) / float64(memory.Certain)
		return api.Course{Intensity: &now}
	}
	return api.Course{}
}

// coursed returns a pack's mark for the status of a goal or a drive that is no longer as
// written.
func coursed(it *store.Item) string {
	if d, ok := it.Record.Body.(*memory.Drive); ok && core.Intensity(it) == d.Intensity {
		return ""
	}
	return courseMarked(CourseOf(it))
}

// marked makes a pack's mark of words. They are quoted, so that they cannot imitate another
// mark.
func courseMarked(c api.Course) string {
	if digits, percent := strings.CutSuffix(c.Progress, "%"); !percent || strings.Trim(digits, "0123456789. ") != "" {
		if c.Progress != "" {
			return c.Status + ", " + pack.Quote(oneLine(c.Progress))
		}
	}
	return CourseWords(c)
}

// CourseWords describes the status of a goal or the intensity of a drive in a few words, ""
// for an active goal of which no more is known.
func CourseWords(c api.Course) string {
	switch {
	case c.Intensity != nil:
		return fmt.Sprintf("intensity %.2f", *c.Intensity)
	case c.Progress != "":
		return c.Status + ", " + oneLine(c.Progress)
	case c.Status == core.GoalActive:
		return ""
	}
	return c.Status
}

// oneLine returns all words of a progress, which stand among other marks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
