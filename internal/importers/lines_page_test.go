package importers

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// linesPage is the reference of the lines that are imported.
const linesPage = "../../docs/reference/import-lines.md"

// TestLinesPageNamesTheMembers compares the table of kinds on the page with the members
// that each kind takes, both ways.
func TestLinesPageNamesTheMembers(t *testing.T) {
	page, err := os.ReadFile(linesPage)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range memory.Memories() {
		var taken []string
		for name := range known {
			if !slices.Contains(lineMembers, name) && takes(t, kind, name) {
				taken = append(taken, "`"+name+"`")
			}
		}
		slices.Sort(taken)
		row := fmt.Sprintf("\n| `%s` | %s |\n", kind, strings.Join(taken, ", "))
		if !strings.Contains(string(page), row) {
			t.Errorf("%s has no row%s", linesPage, row)
		}
	}
	words := slices.Concat(lineMembers, memory.RawEvents, memory.OutcomeTypes, memory.NoteTypes, memory.RelationshipTypes)
	for _, name := range words {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s does not name %s", linesPage, name)
		}
	}
}

// takes reports whether a line of the kind may have the member.
func takes(t *testing.T, kind memory.Kind, name string) bool {
	t.Helper()
	var err error
	for _, value := range []any{"x", []string{"x"}, 0} { // of which one has the member's type
		text, marshalErr := json.Marshal(map[string]any{"kind": kind, "text": "words", name: value})
		if marshalErr != nil {
			t.Fatal(marshalErr)
		}
		if _, err = parseLine(text); err == nil || !strings.Contains(err.Error(), "must be a ") {
			break
		}
	}
	return err == nil || !strings.Contains(err.Error(), "has no such member")
}
