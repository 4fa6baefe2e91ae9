package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A capture is processed while a current memory was made of it: the undo of its only promotion gives it back, and
// what is shown, listed and counted agree.
func TestProcessedIsOneNotion(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "the API feels slow")
		want := func(after string, into ...string) {
			t.Helper()
			shown := show(t, e, raw)
			if !slices.Equal(shown.ProcessedInto, into) {
				t.Errorf("after %s: processed_into = %v, want %v", after, shown.ProcessedInto, into)
			}
			left := 1
			if len(into) > 0 {
				left = 0
			}
			listed, err := e.List(t.Context(), api.ListRequest{Unprocessed: true})
			if err != nil || len(listed.Memories) != left {
				t.Errorf("after %s: %d unprocessed are listed, %v, want %d", after, len(listed.Memories), err, left)
			}
			status, err := e.Status(t.Context(), api.Nothing{})
			if err != nil || status.UnprocessedRaws != left {
				t.Errorf("after %s: status says %d unprocessed, %v, want %d", after, status.UnprocessedRaws, err, left)
			}
			stats, err := e.Stats(t.Context(), api.Nothing{})
			if err != nil || stats.Raws.Unprocessed != left || stats.Raws.Processed != 1-left {
				t.Errorf("after %s: stats say %+v, %v, want %d unprocessed", after, stats.Raws, err, left)
			}
		}
		want("nothing")
		first := promote(t, e, "profile the API", raw)
		want("a promotion", first)
		undo(t, e)
		want("its undo")
		second := promote(t, e, "profile the API twice", raw)
		want("another promotion", second)
		revised, err := e.Revise(t.Context(), api.ReviseRequest{Ref: second, Draft: api.Draft{Text: "profile it again"}})
		if err != nil {
			t.Fatal(err)
		}
		want("a revision", revised.Ref)
		if _, err := e.Forget(t.Context(), api.ForgetRequest{Refs: []string{revised.Ref}}); err != nil {
			t.Fatal(err)
		}
		want("it was forgotten")
	})
}
