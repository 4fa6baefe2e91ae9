package cli

import (
	"bytes"
	"strings"
	"testing"
)

// A table cuts nothing: in a pipe a long cell goes on, at a terminal it wraps in its column, or below the row
// where the others leave little room.
func TestATableCutsNothing(t *testing.T) {
	const long = "words that are longer than the column is wide, and end here"
	for name, tt := range map[string]struct {
		columns int
		beside  string
		want    string
	}{
		"pipe": {0, "x", "ID  Words                                                        Beside\n" +
			strings.Repeat("─", 71) +
			"\na   " + long + "  x\n"},
		"terminal": {46, "x", "ID  Words                               Beside\n" + strings.Repeat("─", 46) +
			"\na   words that are longer than the      x\n    column is wide, and end here\n"},
		"little room": {46, "much beside it", "ID  Beside\n  Words\n" + strings.Repeat("─", 46) +
			"\na   much beside it\n  words that are longer than the column is\n    wide, and end here\n"},
	} {
		var out bytes.Buffer
		a := &app{env: Env{Stdout: &out, columns: tt.columns}}
		a.flags.color = "never"
		cols := []column{{title: "ID"}, {title: "Words", wide: true}, {title: "Beside"}}
		a.table(&out, cols, [][]string{{"a", long, tt.beside}})
		if out.String() != tt.want {
			t.Errorf("%s:\n%swant\n%s", name, out.String(), tt.want)
		}
	}
}
