package views_test

import (
	"reflect"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// A brief list is the list without how each stands.
func TestBriefList(t *testing.T) {
	onEach(t, func(t *testing.T, e *engine.Engine) {
		raw := capture(t, e, "the pond froze in January")
		consolidate(t, e, "winters are cold here", promote(t, e, "the pond froze", raw))
		list := func(brief bool) []api.Memory {
			r, err := e.List(t.Context(), api.ListRequest{Brief: brief})
			if err != nil || len(r.Memories) != 2 {
				t.Fatalf("List gives %d memories, %v, want 2", len(r.Memories), err)
			}
			return r.Memories
		}
		whole, brief := list(false), list(true)
		for i := range whole {
			if whole[i].Trust == nil || brief[i].Trust != nil || brief[i].Level != "" {
				t.Errorf(
					"trust of %s: %v, in brief %v and %q, want it and none", whole[i].Ref, whole[i].Trust,
					brief[i].Trust, brief[i].Level,
				)
			}
			w := &whole[i]
			w.Trust, w.Level, w.Actionable, w.TrustFlags, w.NotActionable = nil, "", false, nil, ""
			w.Tier, w.Review, w.Source = "", "", ""
		}
		if !reflect.DeepEqual(whole, brief) {
			t.Errorf("in brief:\n%+v\nwithout trust:\n%+v", brief, whole)
		}
	})
}
