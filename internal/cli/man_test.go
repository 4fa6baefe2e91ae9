package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra/doc"
)

var update = flag.Bool("update", false, "write the manual pages anew")

// The manual pages that are shipped are those the commands give today.
func TestManPagesAreTrue(t *testing.T) {
	made := t.TempDir()
	root := (&app{env: Env{Getenv: func(string) string { return "" }}}).root(nil)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	root.DisableAutoGenTag = true
	dated := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	header := &doc.GenManHeader{Title: "STEMMA", Section: "1", Source: "stemma", Manual: "stemma", Date: &dated}
	if err := doc.GenManTree(root, header, made); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.RemoveAll("man"); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS("man", os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadDir(made)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadDir("man")
	if err != nil || len(have) != len(want) {
		t.Fatalf("%d pages are shipped, %v, want %d; run go test ./internal/cli -update", len(have), err, len(want))
	}
	for _, page := range want {
		now, err := os.ReadFile(filepath.Join(made, page.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if shipped, err := os.ReadFile(filepath.Join("man", page.Name())); err != nil || !bytes.Equal(shipped, now) {
			t.Errorf("%s is not what the commands say (%v); run go test ./internal/cli -update", page.Name(), err)
		}
	}
}
