package core

import (
	"github.com/stemma-memory/stemma/memory"
)

// successRate is how many of its uses helped; nil where there were none.
func SuccessRate(s *memory.State) *float64 {
	if s.Uses == 0 {
		return nil
	}
	rate := Thousandth(float64(s.Successes) / float64(s.Uses))
	return &rate
}
