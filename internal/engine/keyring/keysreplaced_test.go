package keyring_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
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

// One who only reads keeps the keys that were read, until their directory changes: then the next
// reading has the keys that are there.
func TestKeysReplacedBesideAReader(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	keyDir := filepath.Join(dir, "keys")
	beside := open(t, filepath.Join(dir, "memory.db"), engine.Config{KeyDir: keyDir, Origin: memory.OriginOwner})
	add(t, beside, "note", "written before")
	reader := open(t, filepath.Join(dir, "memory.db"), engine.Config{KeyDir: keyDir, ReadOnly: true})
	known := func() *core.Self {
		t.Helper()
		me, err := reader.KnownKeys()
		if err != nil || me == nil {
			t.Fatal(me, err)
		}
		return me
	}
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(keyDir, before, before); err != nil {
		t.Fatal(err)
	}
	if one, two := known(), known(); one != two {
		t.Error("the keys were read twice, and nothing changed")
	}
	for range 3 {
		if _, err := beside.KeyRotate(ctx, api.KeyRequest{Agent: true}); err != nil {
			t.Fatal(err)
		}
		want, err := beside.OwnKeys()
		if err != nil {
			t.Fatal(err)
		}
		if got := known(); got.Agent.DID() != want.Agent.DID() || got.Delegation != want.Delegation {
			t.Error("a reader has keys that were replaced")
		}
	}
	if err := os.RemoveAll(keyDir); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.KnownKeys(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without keys a reader got %v, want that there are none", err)
	}
}
