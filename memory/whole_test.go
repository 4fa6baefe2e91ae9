package memory_test

import (
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func TestWholeSaysAllFields(t *testing.T) {
	for _, tt := range []struct {
		body memory.Body
		want string
	}{
		{&memory.Belief{Statement: "Ports are even.\nOdd ones fail"}, "Ports are even.\nOdd ones fail"},
		{
			&memory.Episode{
				Objective: "Moved the cache", Outcome: "it lost sessions", OutcomeType: "failure",
				Lessons: []string{"measure first", "move at night"}, Repeat: []string{"a dry run"}, Avoid: []string{"Fridays"},
				Emotion: &memory.Emotion{Labels: []string{"relief", "doubt"}},
			},
			"Moved the cache.\nOutcome: it lost sessions.\nOutcome type: failure.\nLessons: 1. measure first\n" +
				"2. move at night.\nRepeat: a dry run.\nAvoid: Fridays.\nFelt: relief, doubt",
		},
		{
			&memory.Note{
				Type: "decision", Summary: "Use SQLite", Body: "One file.", Reason: "no server", Speaker: "Jon",
				Alternatives: []string{"PostgreSQL"},
			},
			"Use SQLite.\nOne file.\nReason: no server.\nAlternatives: PostgreSQL",
		},
		{&memory.Goal{Title: "Ship", Description: "before May"}, "Ship.\nDescription: before May"},
		{&memory.Value{Name: "Honesty", Statement: "say what was measured"}, "Honesty: say what was measured"},
		{&memory.Value{Name: "Small steps"}, "Small steps"},
		{&memory.Drive{Type: "curiosity", Focus: []string{"why things fail"}}, "curiosity.\nFocus: why things fail"},
		{
			&memory.Relationship{Name: "Alice", Type: "person", Description: "runs the platform"},
			"Alice: runs the platform",
		},
		{
			&memory.Playbook{
				Name: "Roll back", When: "errors rise", Steps: []string{"stop", "revert"},
				FailureModes: []string{"no old image"}, Recovery: []string{"build it"},
			},
			"Roll back: errors rise.\nSteps: 1. stop\n2. revert.\nFailure modes: no old image.\nRecovery: build it",
		},
		{&memory.Raw{Text: "look", Caption: "a red door"}, "look.\nPicture: a red door"},
	} {
		if got := memory.Whole(tt.body); got != tt.want {
			t.Errorf("Whole(%T) = %q, want %q", tt.body, got, tt.want)
		}
	}
}
