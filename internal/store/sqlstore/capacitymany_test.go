//go:build !race

package sqlstore_test

import (
	"os"
	"strings"
	"testing"
)

// TestThePageHasTheTables holds docs/lab/design/scale.md to what the figures give.
// -tables writes it.
func TestThePageHasTheTables(t *testing.T) {
	m := model(t)
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for name, want := range map[string]string{
		"measured": MeasuredTable(figures(t)), "took": TookTable(figures(t)), "assumed": m.AssumedTable(),
		"projected": m.ProjectedTable(), "placed": m.PlacedTable(), "moves": m.MovesTable(),
		"runs": RunsTable(),
	} {
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		head, rest, found := strings.Cut(text, begin)
		got, tail, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Errorf("the page has no place for the table %s", name)
			continue
		}
		if got != want && !*update {
			t.Errorf("the table %s is\n%sthe figures give\n%s", name, got, want)
		}
		text = head + begin + want + end + tail
	}
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
