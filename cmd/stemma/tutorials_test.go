package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command in a console block of a tutorial, a how-to page or the reference runs, and
// prints what the page shows below it.
func TestPagesRun(t *testing.T) {
	for dir, least := range map[string]int{"tutorials": 25, "how-to": 40, "reference": 15} {
		pages, err := filepath.Glob("../../docs/" + dir + "/*.md")
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages in %s: %v", dir, err)
		}
		count := 0
		for _, page := range pages {
			count += len(steps(t, readPage(t, page)))
			t.Run(filepath.Base(page), func(t *testing.T) {
				t.Parallel()
				followPage(t, page, dir != "tutorials")
			})
		}
		if count < least {
			t.Errorf("%d commands run in %s, want at least %d", count, dir, least)
		}
	}
}

// The program of the Go tutorial compiles, and prints what the page says.
func TestLibraryTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorials/library.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		_, after, found := strings.Cut(string(page), "\n```"+language+"\n")
		body, _, closed := strings.Cut(after, "```\n")
		if !found || !closed {
			t.Fatalf("the page has no block of %s", language)
		}
		return body
	}
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "memo")
	if err := os.WriteFile(file, []byte(block("go")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(binary)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if want := block("text"); err != nil || string(out) != want {
		t.Errorf("%v, it prints\n%s\nthe page has\n%s", err, out, want)
	}
}
