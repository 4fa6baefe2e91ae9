//go:build !race

package views_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A trace of more records than a page says how to go on, and the pages together
// hold each once.
func TestTraceGoesOn(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{})
	raw := capture(t, e, "a popular word")
	const children = 12_000
	seq := func(yield func(api.Foreign, error) bool) {
		for i := range children {
			f := api.Foreign{
				Alias: []string{fmt.Sprint("child:", i)}, Body: &memory.Note{Type: "insight", Summary: fmt.Sprint("child ", i)},
				From: []string{"parent"}, Via: memory.ViaInference,
			}
			if i == 0 {
				f = api.Foreign{Alias: []string{"parent"}, Body: &memory.Note{Type: "insight", Summary: "parent"}}
			}
			if !yield(f, nil) {
				return
			}
		}
	}
	if _, err := e.Ingest(t.Context(), seq, nil); err != nil {
		t.Fatal(err)
	}
	list, err := e.List(t.Context(), api.ListRequest{Kind: "note", Oldest: true, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for after := 0; ; {
		tr, err := e.Trace(t.Context(), api.TraceRequest{Ref: list.Memories[0].Ref, Direction: "forward", After: after})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range tr.Forward.Derived {
			if seen[n.ID] {
				t.Fatalf("%s is on two pages", n.ID)
			}
			seen[n.ID] = true
		}
		if after = tr.Next; after == 0 {
			break
		}
	}
	if len(seen) != children-1 {
		t.Errorf("the pages hold %d records, want %d; the other raw is %s", len(seen), children-1, raw)
	}
}
