package sqlstore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/store"
)

// move gives a store's file and those beside it another name.
func move(t *testing.T, from, to string) {
	t.Helper()
	for _, end := range append([]string{""}, sidecars...) {
		if err := os.Rename(from+end, to+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// What would be lost is not said to be kept: nothing goes into a file that was taken away, replaced or has a second
// name, and what was kept before is all there once it is back.
func TestNothingIsWrittenIntoAFileThatIsGone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open keeps its name there")
	}
	path := tempSQLite(t)
	s := open(t, path, Options{})
	rs := raws(t, 8)
	appendAll(t, s, rs[:2])
	refused := func(what, says string, want error) {
		t.Helper()
		_, err := s.Append(t.Context(), store.Batch{Records: rs[7:]})
		if !errors.Is(err, want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %q is more than a line", what, err)
		}
	}
	away := filepath.Join(filepath.Dir(path), "away.db")
	move(t, path, away)
	refused("it was moved", "deleted or moved", store.ErrMoved)
	if s.FileReplaced() {
		t.Error("nothing lies there, and something is said to")
	}
	other := open(t, path, Options{})
	appendAll(t, other, rs[3:4])
	refused("another one lies there", "another file", store.ErrMoved)
	if !s.FileReplaced() {
		t.Error("it is not seen that another one lies there")
	}
	if n := count(t, other); n != 1 {
		t.Errorf("the other one has %d records, want its own", n)
	}
	move(t, path, path+".other")
	move(t, away, path)
	appendAll(t, s, rs[2:3])
	if n := count(t, s); n != 3 || s.FileReplaced() {
		t.Errorf("back again it has %d records, want 3", n)
	}

	link := filepath.Join(filepath.Dir(path), "link.db")
	if err := os.Link(path, link); err != nil {
		t.Skip(err)
	}
	refused("it has two names", "2 names (hard links)", store.ErrReadOnly)
	if n := count(t, s); n != 3 {
		t.Errorf("%d records can be read, want 3", n)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	appendAll(t, s, rs[4:6])
	if n := count(t, s); n != 5 {
		t.Errorf("with one name it has %d records, want 5", n)
	}
}
