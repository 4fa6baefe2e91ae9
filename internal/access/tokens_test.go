package access

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// The first to come makes the tokens, all others get the same, and no one else
// can read them.
func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "server")
	const many = 16
	got := make([]Tokens, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			var err error
			if got[i], err = Keep(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, g := range got {
		if g != got[0] {
			t.Fatal("two who came at once have different tokens")
		}
	}
	if got[0].Agent == got[0].Owner || !strings.HasPrefix(got[0].Agent, agentPrefix) ||
		!strings.HasPrefix(got[0].Owner, ownerPrefix) {
		t.Error("the tokens are not told apart")
	}
	for path, want := range map[string]os.FileMode{
		dir: 0o700, filepath.Join(dir, agentFile): 0o600, filepath.Join(dir, ownerFile): 0o600,
	} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: %v, mode %v, want %v", path, err, info.Mode(), want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("there are %d files in the directory, want 2", len(left))
	}
}

// A file that others can read, or that holds no token, is refused with what to
// do.
func TestKeepRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes of files say nothing there")
	}
	for name, harm := range map[string]func(path string) error{
		"others can read":   func(path string) error { return os.Chmod(path, 0o644) },
		"contains no token": func(path string) error { return os.WriteFile(path, []byte("short\n"), 0o600) },
	} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := Keep(dir); err != nil {
			t.Fatal(err)
		}
		if err := harm(filepath.Join(dir, ownerFile)); err != nil {
			t.Fatal(err)
		}
		if _, err := Keep(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a token that %s: %v", name, err)
		}
	}
}
