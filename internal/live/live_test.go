package live

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A descriptor of a file that SQLite has open stays until the last who entered left;
// that of any other file is closed.
func TestCloseWaitsForTheLast(t *testing.T) {
	dir := t.TempDir()
	path, shared, other := filepath.Join(
		dir,
		"memory.db",
	), filepath.Join(
		dir,
		"memory.db-shm",
	), filepath.Join(
		dir,
		"other",
	)
	for _, name := range []string{path, shared, other} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked := filepath.Join(dir, "linked")
	if err := os.Link(path, linked); err != nil {
		t.Fatal(err)
	}
	closed := func(f *os.File) bool { _, err := f.Stat(); return errors.Is(err, os.ErrClosed) }
	closing := func(name string) *os.File {
		t.Helper()
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := Close(f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := closing(path); !closed(f) {
		t.Error("a file that nobody has open is not closed")
	}
	first, err := Enter(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Enter(linked)
	if err != nil {
		t.Fatal(err)
	}
	var parked []*os.File
	for _, name := range []string{path, shared, linked} {
		f := closing(name)
		if parked = append(parked, f); closed(f) {
			t.Errorf("%s was closed while it is open here", name)
		}
		if info, err := os.Stat(name); err != nil || !Has(info) {
			t.Errorf("%s is not known to be open: %v", name, err)
		}
	}
	if f := closing(other); !closed(f) {
		t.Error("another file is not closed")
	}
	for range 2 { // leaving twice is leaving once
		if err := first(); err != nil {
			t.Fatal(err)
		}
	}
	if closed(parked[0]) {
		t.Error("it was closed when the first left")
	}
	if err := second(); err != nil {
		t.Fatal(err)
	}
	for i, f := range parked {
		if !closed(f) {
			t.Errorf("descriptor %d stays open when all have left", i)
		}
	}
	if len(files) != 0 {
		t.Errorf("%d files are still known", len(files))
	}
}

func TestEnterOfWhatIsNotThere(t *testing.T) {
	if _, err := Enter(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Enter = %v, want ErrNotExist", err)
	}
}
