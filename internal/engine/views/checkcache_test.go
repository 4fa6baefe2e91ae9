package views_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
)

// What a check found is kept for the next one, in a directory that need not
// have been there.
func TestCheckKeepsWhatItFound(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "not", "there", "yet")
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc F() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "a.go"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "begin"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "m.db"),
		engine.Config{Databases: enginetest.Databases, KeyDir: filepath.Join(dir, "keys"), Dir: dir, Cache: cache},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	note := api.AddRequest{
		Draft: api.Draft{Kind: "note", Text: "F does nothing"}, Meta: api.Meta{Files: []string{"a.go#F"}},
	}
	if _, err := e.Add(t.Context(), note); err != nil {
		t.Fatal(err)
	}
	r, err := e.Check(t.Context(), api.CheckRequest{})
	if err != nil || r.Counts["verified"] != 1 {
		t.Fatalf("Check gives %+v, %v, want one verified", r, err)
	}
	if files, err := filepath.Glob(filepath.Join(cache, "checks", "*.json")); err != nil || len(files) != 1 {
		t.Errorf("the cache holds %v, %v, want one file", files, err)
	}
}
