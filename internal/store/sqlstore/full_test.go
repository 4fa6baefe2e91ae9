package sqlstore

import (
	"errors"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// fill appends until that fails, and gives how many were kept and the error.
func fill(t *testing.T, s *Store, rs []*memory.Record) (int, error) {
	t.Helper()
	for i := range rs {
		if _, err := s.Append(t.Context(), store.Batch{Records: rs[i : i+1]}); err != nil {
			return i, err
		}
	}
	t.Fatal("the disk never got full")
	return 0, nil
}

// fullDisk is what must hold when the disk is full, and when it no longer is.
func fullDisk(t *testing.T, s *Store, grow func()) {
	rs := raws(t, 5000)
	kept, err := fill(t, s, rs)
	if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), s.name) {
		t.Errorf("Append to a full disk = %v, want ErrFull with the path", err)
	}
	if n := count(t, s); n != kept {
		t.Errorf("%d records can be read on the full disk, want the %d acknowledged", n, kept)
	}
	grow()
	appendAll(t, s, rs[kept:kept+10])
	if n := count(t, s); n != kept+10 {
		t.Errorf("%d records are kept after the disk grew, want %d", n, kept+10)
	}
	healthy(t, s)
}

func TestNoMorePages(t *testing.T) {
	s := open(t, tempSQLite(t), Options{})
	exec(t, s, "PRAGMA max_page_count = 200")
	fullDisk(t, s, func() { exec(t, s, "PRAGMA max_page_count = 100000") })
}

// mount returns a small disk of its own, where a test may have one.
func mount(t *testing.T, options string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may mount a disk")
	}
	dir := t.TempDir()
	if out, err := osexec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := osexec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir
}

func remount(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := osexec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
}

func TestFullDisk(t *testing.T) {
	dir := mount(t, "size=1500k")
	s := open(t, filepath.Join(dir, "memory.db"), Options{})
	fullDisk(t, s, func() { remount(t, dir, "size=30m") })
}

// TestReadOnlyDisk reads stores from a disk that cannot be written: closed in
// peace, and left by a process that died with its log not yet brought home.
func TestReadOnlyDisk(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string // what is there beside the file
		dies  bool
	}{
		{"closed", nil, false},
		{"with its log", []string{"-wal", "-shm"}, true},
		{"with its log, without the shared memory", []string{"-wal"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := mount(t, "size=10m")
			path, from := filepath.Join(dir, "memory.db"), tempSQLite(t)
			s := open(t, from, Options{})
			rs := raws(t, 11)
			appendAll(t, s, rs[:10])
			if !tt.dies {
				exec(t, s, "PRAGMA wal_checkpoint(TRUNCATE)")
			}
			for _, suffix := range append([]string{""}, tt.files...) {
				bytes, err := os.ReadFile(from + suffix)
				if err == nil {
					err = os.WriteFile(path+suffix, bytes, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			remount(t, dir, "ro")
			readsOnly(t, path, rs)
		})
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 {
		return // root may write everywhere; TestReadOnlyDisk is for it
	}
	path := closed(t, 10)
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	readsOnly(t, path, raws(t, 11))
}

// readsOnly asks that the first ten of rs can be read and none be added.
func readsOnly(t *testing.T, path string, rs []*memory.Record) {
	t.Helper()
	s := open(t, path, Options{})
	if n := count(t, s); n != 10 {
		t.Errorf("%d records can be read, want 10", n)
	}
	if n := lost(t, s, []memory.ID{rs[0].ID, rs[9].ID}); n != 0 {
		t.Errorf("%d of 2 records cannot be read", n)
	}
	healthy(t, s)
	if _, err := s.Append(t.Context(), store.Batch{Records: rs[10:]}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Append = %v, want ErrReadOnly", err)
	}
	if _, err := Open(
		t.Context(), filepath.Join(filepath.Dir(path), "new.db"), Options{},
	); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Open of a new store there = %v, want ErrReadOnly", err)
	}
}
