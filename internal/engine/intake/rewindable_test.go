package intake

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// once is a reader and nothing else, as a pipe is.
type once struct{ io.Reader }

func TestWhatComesOnceIsReadTwice(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for name, r := range map[string]io.Reader{
		"a pipe": once{strings.NewReader("words")}, "a file": f, "a string": strings.NewReader("words"),
	} {
		again, done, err := Rewindable(r)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, err := io.ReadAll(again); err != nil || string(got) != "words" {
				t.Errorf("%s gives %q, %v, want words", name, got, err)
			}
			if _, err := again.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
		}
		done()
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) != 0 {
		t.Errorf("%d files are left behind, %v", len(left), err)
	}
}
