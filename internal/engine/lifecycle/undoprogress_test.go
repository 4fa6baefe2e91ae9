package lifecycle_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// After an undone correction, each undo of a goal's progress gives the progress before it, and not none. What a
// stranger says of the goal is no progress before.
func TestUndoOfProgressAfterAnUndoneCorrection(t *testing.T) {
	t.Parallel()
	p, ctx := newPeople(t), t.Context()
	goal := add(t, p.Owner, "goal", "ship the importer")
	progresses := func(words string) {
		t.Helper()
		if _, err := p.Owner.GoalProgress(ctx, api.GoalProgressRequest{Ref: goal, Progress: words}); err != nil {
			t.Fatal(err)
		}
	}
	of := refOf(t, goal)
	take(t, p.Owner, newForger(t, p.Now()).Says(&memory.Mark{Of: &of, Verb: memory.Progress, Value: "5%"}))
	progresses("20%")
	progresses("30%")
	revise(t, p.Owner, goal, "ship the importers")
	for _, want := range []string{"30%", "20%", ""} {
		undo(t, p.Owner)
		all, err := p.Owner.List(ctx, api.ListRequest{Kind: "goal"})
		if err != nil || len(all.Memories) != 1 {
			t.Fatalf("%d goals, %v", len(all.Memories), err)
		}
		if got := all.Memories[0].Progress; got != want {
			t.Errorf("the progress is %q, want %q", got, want)
		}
	}
}
