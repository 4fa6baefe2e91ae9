package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestDropTakesLinesFromBothFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	if err := Open(path, 1000).Drop(func([]byte) bool { return true }); err != nil {
		t.Fatalf("of none: %v", err)
	}
	f := Open(path, 1000)
	for i := range 12 {
		if err := f.Append(fmt.Sprintf("line%02d", i), map[string]string{"text": fmt.Sprintf("%032d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	before := map[string]int{}
	for _, name := range []string{path, path + olderSuffix} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = bytes.Count(b, []byte("\n"))
	}
	gone := []byte("line0")
	if err := f.Drop(func(line []byte) bool { return bytes.Contains(line, gone) }); err != nil {
		t.Fatal(err)
	}
	stay := 0
	for name, n := range before {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, gone) {
			t.Errorf("%s still has a line that was dropped:\n%s", name, b)
		}
		if n == 0 {
			t.Errorf("%s had no line", name)
		}
		stay += bytes.Count(b, []byte("\n"))
	}
	if want := 2; stay != want {
		t.Errorf("%d lines stay, want %d", stay, want)
	}
	if err := f.Append("after", map[string]int{"n": 1}); err != nil {
		t.Fatal(err)
	}
}
