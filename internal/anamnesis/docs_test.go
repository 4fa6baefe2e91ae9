package anamnesis

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// TestThePageIsTrue: the table of kinds on the page says what Render does.
func TestThePageIsTrue(t *testing.T) {
	const page, begin, end = "../../docs/reference/documents.md", "<!-- generated: kinds -->\n", "<!-- end of kinds -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	all := bodies()
	want := "\n| kind | `content.type` |\n|---|---|\n"
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == "bytes" || name == "long raw" {
			continue // raws like the other
		}
		d := Render(RenderInput{Record: record(t, memory.Header{}, all[name])})
		want += fmt.Sprintf("| %s | `%s` |\n", name, d.Content.Type)
	}
	before, rest, begun := strings.Cut(string(text), begin)
	have, after, ended := strings.Cut(rest, end)
	if want += "\n"; !begun || !ended {
		t.Fatalf("%s has no part between %q and %q", page, begin, end)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("the page has%swant%srun go test ./internal/anamnesis -update", have, want)
	}
}
