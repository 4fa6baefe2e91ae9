package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pageImport is one import of the page's own files, in whatever lines it stands.
var pageImport = regexp.MustCompile(`(?:import|export)\s+[^;"]*?from\s+"\./([^"]+)"`)

// pageUses says which of the page's files each of them imports.
func pageUses(t *testing.T, dir string) map[string]map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.ts*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files of the page in %s: %v", dir, err)
	}
	links := map[string]map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		links[name] = map[string]bool{}
		for _, m := range pageImport.FindAllSubmatch(text, -1) {
			for _, ext := range []string{".ts", ".tsx"} {
				if to := filepath.Join(dir, string(m[1])+ext); slices.Contains(names, to) {
					links[name][to] = true
				}
			}
		}
	}
	return links
}

func TestThePagesFilesHaveNoCircle(t *testing.T) {
	links := pageUses(t, filepath.Join("..", "..", "web", "src"))
	if circle := largestCircle(links); len(circle) > 0 {
		t.Errorf("the page's files need each other: %s", strings.Join(circle, ", "))
	}
	links = pageUses(t, filepath.Join("testdata", "page"))
	if circle := largestCircle(links); !slices.Equal(circle, []string{"one.ts", "two.tsx"}) {
		t.Errorf("of two files in a circle it finds %v", circle)
	}
}
