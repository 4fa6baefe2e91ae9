package arch

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

const (
	mostGoFilesAtTheRoot = 8
	mostEntriesAtTheRoot = 40
)

// entries returns what a listing of the root shows.
func entries(names []string) []string {
	var top []string
	for _, name := range names {
		entry, _, _ := strings.Cut(name, "/")
		top = append(top, entry)
	}
	slices.Sort(top)
	return slices.Compact(top)
}

func TestTheRootStaysShort(t *testing.T) {
	if top := entries(files(t)); len(top) > mostEntriesAtTheRoot {
		t.Errorf("%d entries at the root, at most %d: %s", len(top), mostEntriesAtTheRoot, strings.Join(top, " "))
	}
	var written []string
	for _, s := range sources(t) {
		if s.dir() == "." && !s.isTest() && !ast.IsGenerated(s.file) {
			written = append(written, s.name)
		}
	}
	if len(written) == 0 || len(written) > mostGoFilesAtTheRoot {
		t.Errorf("%d Go files at the root that people write, at most %d: %s",
			len(written), mostGoFilesAtTheRoot, strings.Join(written, " "))
	}
}

func TestEntries(t *testing.T) {
	got := entries([]string{"go.mod", "docs/a.md", "api/a.go", "docs/lab/b.md"})
	if want := []string{"api", "docs", "go.mod"}; !slices.Equal(got, want) {
		t.Errorf("entries = %q, want %q", got, want)
	}
}
