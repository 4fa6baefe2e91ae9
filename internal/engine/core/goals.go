package core

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// goalDone is what a goal is that was marked as done, and of which nobody said more.
const goalDone = "done"

// goalStatus is what a goal is now.
func GoalStatus(s *memory.State) string {
	if s.Done && Or(s.Status, api.GoalActive) == api.GoalActive {
		return goalDone
	}
	return Or(s.Status, api.GoalActive)
}
