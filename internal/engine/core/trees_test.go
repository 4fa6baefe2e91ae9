package core_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/ledger"
)

// What is kept of a tree spares reading the log, and is believed only where it leads to the log's root.
func TestLogTreeIsTheLogs(t *testing.T) {
	dir := t.TempDir()
	e := enginetest.Open(t, filepath.Join(dir, "memory.db"), engine.Config{Cache: filepath.Join(dir, "cache")})
	n := 0
	more := func(count int) {
		for range count {
			n++
			if _, err := e.Capture(t.Context(), api.CaptureRequest{Text: "words " + strconv.Itoa(n)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func() {
		t.Helper()
		spaces, err := e.Store.Spaces(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spaces {
			tree, root, err := e.LogTree(t.Context(), e.Store, s.Name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := e.Store.Tree(t.Context(), s.Name)
			if err != nil || f.Root() != root || tree.Size() != f.Size() {
				t.Fatalf("%s: %d ids, want %d: %v", s.Name, tree.Size(), f.Size(), err)
			}
			ids, err := e.Store.Since(t.Context(), s.Name, 0, int(f.Size()))
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []int64{0, f.Size() / 2, f.Size() - 1} {
				p, err := tree.Inclusion(at, f.Size())
				if err != nil || ledger.CheckInclusion(p, ledger.Hash(ids[at].ID), at, f.Size(), root) != nil {
					t.Fatalf("place %d of %d: %v", at, f.Size(), err)
				}
			}
		}
	}
	more(3)
	check()
	more(600)
	check()
	kept, err := filepath.Glob(filepath.Join(dir, "cache", "trees", "*"))
	if err != nil || len(kept) == 0 {
		t.Fatal("nothing is kept")
	}
	for _, bad := range []string{"", "short", string(make([]byte, 64)), string(make([]byte, 64*1000))} {
		for _, name := range kept {
			if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		again := enginetest.Open(t, filepath.Join(dir, "memory.db"), engine.Config{Cache: filepath.Join(dir, "cache")})
		e = again
		check()
	}
	more(300)
	check()
}
