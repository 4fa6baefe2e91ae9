//go:build !race

package trust_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// An agent that writes again what it was shown is no witness of it, however often it
// does, and neither is what it wrote.
func TestAnEchoConfirmsNothing(t *testing.T) {
	t.Parallel()
	p := newPeople(t, func(c *engine.Config) {
		c.Session, c.Receipts = "echo", filepath.Join(t.TempDir(), "receipts.jsonl")
	})
	source := capture(t, p.As(memory.OriginTool), "the dam holds until spring")
	seen := []string{source}
	for i := range 100 / fewer {
		r := search(t, p.Agent, api.SearchRequest{Query: "dam spring", Limit: 3})
		if len(r.Results) == 0 {
			t.Fatalf("round %d: nothing is found", i)
		}
		text := fmt.Sprintf("the dam holds until spring, %d", i+1)
		ref := add(t, p.Agent, "belief", text)
		if i%2 == 0 {
			capture(t, p.Agent, r.Results[0].Text)
		}
		if _, err := p.Agent.Witness(
			t.Context(), api.WitnessRequest{Ref: r.Results[0].Ref, Attestation: "confirm"},
		); err == nil {
			t.Errorf("round %d: the agent confirms what its own tool brought or it wrote itself", i)
		}
		seen = append(seen, ref)
	}
	p.Stop()
	for i, ref := range seen {
		tr := trustIn(t, p.Owner, ref)
		if tr.Voices.Confirm != 0 || len(tr.Witnesses) != 0 || tr.Level != "unverified" || !tr.Tainted || tr.Actionable {
			t.Errorf(
				"after %d echoes: %d confirm, %s, tainted %v, actionable %v", i, tr.Voices.Confirm, tr.Level,
				tr.Tainted, tr.Actionable,
			)
		}
		if i > 0 && tr.Score > trustIn(t, p.Owner, source).Score {
			t.Errorf("echo %d is worth %v, more than what it repeats", i, tr.Score)
		}
	}
}
