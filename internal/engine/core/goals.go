package core

import (
	"strconv"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// What a goal can be. One of which no one said anything is active.
const (
	GoalActive    = "active"
	GoalAchieved  = "achieved"
	GoalAbandoned = "abandoned"
	GoalPaused    = "paused"
)

// GoalStatuses are what a goal can be.
var GoalStatuses = []string{GoalActive, GoalAchieved, GoalAbandoned, GoalPaused}

// goalDone is what a goal is that was marked as done, and of which no one said more.
const goalDone = "done"

// GoalStatus is what a goal is now.
func GoalStatus(s *state.State) string {
	if s.Done && Or(s.Status, GoalActive) == GoalActive {
		return goalDone
	}
	return Or(s.Status, GoalActive)
}

// Intensity is how strong a drive is now, in thousandths: as was said last, or else
// as it was written. What was said and is no such number says nothing.
func Intensity(it *store.Item) int {
	if f, err := strconv.ParseFloat(it.State.Intensity, 64); err == nil {
		if n, err := memory.Thousandths("intensity", f, 0, 1); err == nil {
			return n
		}
	}
	if it.Record != nil {
		if d, ok := it.Record.Body.(*memory.Drive); ok {
			return d.Intensity
		}
	}
	return 0
}

// SuccessRate is how many of its uses helped; nil where there were none.
func SuccessRate(s *state.State) *float64 {
	if s.Uses == 0 {
		return nil
	}
	rate := Thousandth(float64(s.Successes) / float64(s.Uses))
	return &rate
}
