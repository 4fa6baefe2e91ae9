package toolset_test

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/toolset"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

// The script that frameworks are tested with ends as it says it does.
func TestScript(t *testing.T) {
	e, err := engine.Open(t.Context(), t.TempDir()+"/memory.db", engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var answers []string
	for {
		turn, err := toolsettest.Next(answers)
		if err != nil {
			t.Fatal(err)
		}
		if turn.Tool == "" {
			if turn.Text != toolsettest.Answered {
				t.Errorf("it said %q, want %q; the calls were answered %q", turn.Text, toolsettest.Answered, answers)
			}
			return
		}
		answer, err := toolset.Do(t.Context(), e, turn.Tool, []byte(turn.Arguments))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
}

// Arguments that are null are read as none, and do not end the process.
func TestNullArguments(t *testing.T) {
	for op := range map[string]bool{"remember": true, "capture": true, "correct": true, "promote": true, "recall": false} {
		if got, err := toolset.Arguments(op, []byte("null"), "mcp"); err != nil || len(got) == 0 {
			t.Errorf("%s: %s, %v", op, got, err)
		}
	}
}

// Only the six are tools.
func TestOtherOperationsAreNoTools(t *testing.T) {
	for _, name := range []string{"approve", "purge", "search", "no_such", ""} {
		if got, err := toolset.Do(t.Context(), nil, name, nil); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
