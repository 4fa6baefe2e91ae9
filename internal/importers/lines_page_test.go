package importers

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// linesPage is the reference of the lines that are imported.
const linesPage = "../../docs/reference/import-lines.md"

var update = flag.Bool("update", false, "rewrite the tables of docs/reference/import-lines.md")

// TestLinesPageNamesTheMembers compares the tables of the page with the members that each
// kind takes, and with the words that some of them take.
func TestLinesPageNamesTheMembers(t *testing.T) {
	page, err := os.ReadFile(linesPage)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for part, want := range map[string]string{"members": memberTable(t), "words": wordTable()} {
		begin, end := "<!-- generated: "+part+" -->\n", "<!-- end of "+part+" -->\n"
		before, rest, begun := strings.Cut(text, begin)
		have, after, ended := strings.Cut(rest, end)
		if !begun || !ended {
			t.Fatalf("%s has no part between %q and %q", linesPage, begin, end)
		}
		if have != want && !*update {
			t.Errorf("%s has%swant%srun go test ./internal/importers -run TestLinesPage -update", linesPage, have, want)
		}
		text = before + begin + want + end + after
	}
	for _, name := range lineMembers {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("%s does not name %s", linesPage, name)
		}
	}
	if *update {
		if err := os.WriteFile(linesPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// memberTable has a line for each kind, with what only some kinds take.
func memberTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n| kind | members |\n|---|---|\n")
	for _, kind := range memory.Memories() {
		var taken []string
		for name := range known {
			if !slices.Contains(lineMembers, name) && takes(t, kind, name) {
				taken = append(taken, name)
			}
		}
		slices.Sort(taken)
		fmt.Fprintf(&b, "| `%s` | %s |\n", kind, inCode(taken))
	}
	return b.String() + "\n"
}

// wordTable has a line for each member that takes one of some words.
func wordTable() string {
	return fmt.Sprintf("\n| member | words |\n|---|---|\n| `event` | %s |\n| `outcome_type` | %s |\n"+
		"| `type` of a note | %s |\n| `type` of a relationship | %s |\n\n", inCode(memory.RawEvents),
		inCode(memory.OutcomeTypes), inCode(memory.NoteTypes), inCode(memory.RelationshipTypes))
}

func inCode(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

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
	return err == nil || !strings.Contains(err.Error(), "has no such field")
}
