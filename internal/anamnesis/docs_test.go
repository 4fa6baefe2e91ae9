package anamnesis

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// TestThePageIsTrue: the table of kinds on the page says what Render does.
func TestThePageIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/documents.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range bodies() {
		if name == "bytes" || name == "long raw" {
			continue // raws like the other
		}
		d := Render(RenderInput{Record: record(t, memory.Header{}, b)})
		if line := fmt.Sprintf("\n| %s | `%s` |\n", name, d.Content.Type); !strings.Contains(string(page), line) {
			t.Errorf("the page lacks the line %q", strings.TrimSpace(line))
		}
	}
}
