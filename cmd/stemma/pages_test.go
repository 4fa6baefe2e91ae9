package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// All how-to pages together stay within an hour of reading.
func TestHowToPagesAreShort(t *testing.T) {
	const mostWords = 7500
	pages, err := filepath.Glob("../../docs/how-to/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	words := 0
	for _, name := range pages {
		words += len(strings.Fields(readPage(t, name)))
	}
	if words > mostWords {
		t.Errorf("%d words in %d how-to pages, at most %d are allowed", words, len(pages), mostWords)
	}
}

var pageLinks = regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)

// The map of the documentation links every page for users once.
func TestMapHasEveryPage(t *testing.T) {
	const root = "../../docs"
	page := readPage(t, root+"/README.md")
	count := make(map[string]int)
	for _, m := range pageLinks.FindAllStringSubmatch(page, -1) {
		count[filepath.Join(root, m[1])]++
	}
	for _, pattern := range []string{"*.md", "tutorials/*.md", "how-to/*.md", "reference/*.md", "explanation/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if n := count[name]; name != filepath.Join(root, "README.md") && n != 1 {
				t.Errorf("docs/README.md links %s %d times, want once", name, n)
			}
		}
	}
}
