//go:build !race

package lifecycle_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A run that forgot more than one mark holds comes back as one act.
func TestUndoOfARun(t *testing.T) {
	t.Parallel()
	c := newClock()
	e := open(t, "mem", engine.Config{Now: c.Now})
	const n = memory.MaxSources + 3
	if _, err := e.Ingest(t.Context(), foreigners(n), nil); err != nil {
		t.Fatal(err)
	}
	c.Ahead(100 * day)
	r, err := e.ForgetRun(t.Context(), api.ForgetRunRequest{})
	if err != nil || r.Count != n || len(r.Claims) != 2 || !r.More {
		t.Fatalf("forgot %d with %d marks, %v, want %d with 2", r.Count, len(r.Claims), err, n)
	}
	if u := undo(t, e); len(u.Undone) != 2 || len(u.Of) != n || len(live(t, e)) != n {
		t.Errorf("%d marks undone of %d records, %d live, want 2 of %d", len(u.Undone), len(u.Of), len(live(t, e)), n)
	}
}
