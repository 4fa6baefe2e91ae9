package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A process that lives long signs with the keys there are now: one that was replaced
// by another process beside it speaks for no one.
func TestKeysReplacedBesideAnEngine(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	c := engine.Config{KeyDir: filepath.Join(dir, "keys")}
	long := open(t, filepath.Join(dir, "memory.db"), c)
	c.Origin = memory.OriginOwner
	beside := open(t, filepath.Join(dir, "memory.db"), c)
	add(t, long, "note", "written before")
	for _, agent := range []bool{true, false} {
		if _, err := beside.KeyRotate(ctx, api.KeyRequest{Agent: agent}); err != nil {
			t.Fatal(err)
		}
		ref := add(t, long, "note", "written after")
		if got := trustIn(t, beside, ref); len(got.Flags) > 0 {
			t.Errorf("after a key was replaced (the agent's: %v) what is written has the flags %v, want none", agent, got.Flags)
		}
	}
}
