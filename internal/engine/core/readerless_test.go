package core_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// Where there are no keys nobody looks: the owner of a store is not taken for the reader, and their approval lifts
// nothing.
func TestWithoutKeysTheOwnerIsNotTheReader(t *testing.T) {
	p := newPeople(t)
	ref := add(t, p.Owner, "belief", "the harbour is deep")
	approve(t, p.Owner, ref)
	if got := trustIn(t, p.Owner, ref); got.Name != "you" || !got.Actionable {
		t.Fatalf("for its owner: %q, actionable %v", got.Name, got.Actionable)
	}
	for _, foreign := range []bool{false, true} {
		other := p.As(memory.OriginAgent, func(c *engine.Config) {
			c.KeyDir, c.Foreign, c.ReadOnly = filepath.Join(t.TempDir(), "none"), foreign, true
		})
		got := trustIn(t, other, ref)
		if got.Name == "you" || got.Actionable || got.Score != 0 || !slices.Contains(got.Flags, "unknown_key") ||
			got.SeenBy != "" {
			t.Errorf("foreign %v: trust is %+v", foreign, got)
		}
		m := show(t, other, ref)
		if m.Tier != "hypothesis" || m.Actionable || !slices.Contains(m.Marks, "external") {
			t.Errorf("foreign %v: it is %s, actionable %v, marked %q", foreign, m.Tier, m.Actionable, m.Marks)
		}
		found := search(t, other, api.SearchRequest{Query: "harbour"})
		if len(found.Results) != 1 || found.Results[0].Actionable || !slices.Contains(found.Results[0].Marks, "external") {
			t.Errorf("foreign %v: found %+v", foreign, found.Results)
		}
	}
}
