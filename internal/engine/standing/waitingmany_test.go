//go:build !race

package standing_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// An update of what a person said or approved asks; that of an agent's memory by an agent does
// not. A contradiction asks.
func TestWhoIsAskedAboutLinks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		old, new memory.Origin
		approve  bool
		second   string
		want     int
	}{
		"an agent's by an agent's":  {memory.OriginAgent, memory.OriginAgent, false, "", 0},
		"an approved one":           {memory.OriginAgent, memory.OriginAgent, true, "", 1},
		"a person's by an agent's":  {memory.OriginOwner, memory.OriginAgent, false, "", 1},
		"a person's by a person's":  {memory.OriginOwner, memory.OriginOwner, false, "", 1},
		"an agent's by a person's":  {memory.OriginAgent, memory.OriginOwner, false, "", 0},
		"a tool's by an agent's":    {memory.OriginTool, memory.OriginAgent, false, "", 0},
		"contradicted by an agent":  {memory.OriginAgent, memory.OriginAgent, false, "Alice does not work at Acme", 1},
		"contradicted by a tool":    {memory.OriginAgent, memory.OriginTool, false, "Alice does not work at Acme", 1},
		"two tools that contradict": {memory.OriginTool, memory.OriginTool, false, "Alice does not work at Acme", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeople(t)
			old := remember(t, p.As(tt.old), "Alice works at Acme").Memories[0].Ref
			if tt.approve {
				approve(t, p.Owner, old)
			}
			second := tt.second
			if second == "" {
				second = "Alice left Acme and joined StartupX"
			}
			r := remember(t, p.As(tt.new), second)
			if len(r.Links) != 1 {
				t.Fatalf("links: %+v, want one", r.Links)
			}
			if _, got := waits(t, p.Owner); len(got) != tt.want {
				t.Errorf("%d links wait, want %d; the state is %s", len(got), tt.want, r.Links[0].State)
			}
			if want := map[int]string{0: "proposed", 1: "open"}[tt.want]; r.Links[0].State != want {
				t.Errorf("the link is %s, want %s", r.Links[0].State, want)
			}
			all, err := p.Owner.Conflicts(t.Context(), api.OpenRequest{All: true})
			if err != nil || len(all.Conflicts) != 1 {
				t.Errorf("all links: %+v, %v, want one", all.Conflicts, err)
			}
			queue, err := p.Owner.Suggestions(t.Context(), api.KindRequest{Kind: "link", All: true})
			if err != nil || len(queue.Suggestions) != 1 {
				t.Errorf("all suggestions: %+v, %v, want one", queue.Suggestions, err)
			}
			strict := p.As(memory.OriginOwner, func(c *engine.Config) { c.ReviewPolicy = "strict" })
			if _, got := waits(t, strict); len(got) != 1 {
				t.Errorf("strict: %d links wait, want 1", len(got))
			}
		})
	}
}
