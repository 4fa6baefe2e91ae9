package code

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/live"
)

// The file of a store that is open here is not read as code: closing it would drop the
// locks that SQLite holds on it.
func TestAnOpenStoreIsNoCode(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "memory.db"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := readWork(root, "memory.db"); err != nil {
		t.Fatalf("of a file that nobody has open: %v", err)
	}
	leave, err := live.Enter(filepath.Join(dir, "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readWork(root, "memory.db"); !errors.Is(err, live.ErrOpen) {
		t.Errorf("of one that is open: %v, want ErrOpen", err)
	}
	if err := leave(); err != nil {
		t.Fatal(err)
	}
}
