//go:build !race

package eval

import (
	"testing"

	"github.com/stemma-memory/stemma/internal/datasets"
	"github.com/stemma-memory/stemma/internal/engine"
)

// TestRunOfFacts: on a real conversation the search finds more than its words
// alone would.
func TestRunOfFacts(t *testing.T) {
	r := run(t, read(t, datasets.File(t, "locomo", "30.json")), Options{Open: opened(t, engine.Config{})})
	found, plain := r.Search.All, r.Plain.All
	if r.Turns != 369 || r.Questions != 105 || found.Recall10 < plain.Recall10+0.1 {
		t.Errorf(
			"%d turns, %d questions, recall at 10 of %v, plainly %v", r.Turns, r.Questions, found.Recall10,
			plain.Recall10,
		)
	}
}
