package main

import (
	"path/filepath"
	"testing"
)

// Every command of the tutorials and the how-to pages that stands in a console block runs, and prints what the
// page shows below it.
func TestPagesRun(t *testing.T) {
	for dir, least := range map[string]int{"tutorials": 25, "how-to": 40} {
		pages, err := filepath.Glob("../../docs/" + dir + "/*.md")
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages in %s: %v", dir, err)
		}
		count := 0
		for _, page := range pages {
			t.Run(filepath.Base(page), func(t *testing.T) { count += followPage(t, page, dir == "how-to") })
		}
		if count < least && !t.Failed() {
			t.Errorf("%d commands run in %s, want at least %d", count, dir, least)
		}
	}
}
