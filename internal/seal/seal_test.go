package seal_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stemma-memory/stemma/internal/seal"
)

func TestASealKnowsItsOwnMarksOnly(t *testing.T) {
	one, err := seal.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, err := seal.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mark := one.Mark("list", []byte("ab"), []byte("c"))
	tests := []struct {
		name string
		is   bool
		want bool
	}{
		{"its own", one.Is(mark[:], "list", []byte("ab"), []byte("c")), true},
		{"its own, the beginning", one.Is(mark[:16], "list", []byte("ab"), []byte("c")), true},
		{"too short", one.Is(mark[:15], "list", []byte("ab"), []byte("c")), false},
		{"too long", one.Is(append(mark[:], 0), "list", []byte("ab"), []byte("c")), false},
		{"another purpose", one.Is(mark[:], "settings", []byte("ab"), []byte("c")), false},
		{"cut elsewhere", one.Is(mark[:], "list", []byte("a"), []byte("bc")), false},
		{"another's", other.Is(mark[:], "list", []byte("ab"), []byte("c")), false},
	}
	for _, tt := range tests {
		if tt.is != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, tt.is, tt.want)
		}
	}
}

func TestAllWhoOpenAtOnceHaveOneSeal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, err := seal.Load(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("Load where there is none: %v, want fs.ErrNotExist", err)
	}
	marks := make([][seal.Size]byte, 16)
	var all sync.WaitGroup
	for i := range marks {
		all.Go(func() {
			s, err := seal.Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			marks[i] = s.Mark("x")
		})
	}
	all.Wait()
	for _, m := range marks {
		if m != marks[0] {
			t.Fatal("two who opened at once have two seals")
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v, want 1", len(left), err)
	}
}

func TestASealThatOthersMayReadIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := seal.Open(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "seal")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.Load(dir); err == nil {
		t.Error("a secret that others may read is taken")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), path); err != nil {
		t.Fatal(err)
	}
	if _, err := seal.Open(dir); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link in place of the secret: %v, want an error", err)
	}
}
