package evolve_test

import (
	"os"
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
)

// Of pairs that can both be true at most two are told to clash: a word of change says "deprecated", and who runs a
// version is not compared.
func TestWhatCanBothBeTrueIsNotLinked(t *testing.T) {
	data, err := os.ReadFile("testdata/bothtrue.txt")
	if err != nil {
		t.Fatal(err)
	}
	const most = 2
	pairs, wrong := 0, 0
	for line := range strings.Lines(string(data)) {
		old, new, is := strings.Cut(strings.TrimSpace(line), " | ")
		if !is || strings.HasPrefix(line, "#") {
			continue
		}
		pairs++
		if r := Rules(Memory{Text: new}, []Memory{{Text: old}}); r != nil && r.Type != "extend" {
			wrong++
			t.Logf("%q, %q: %s, %s", old, new, r.Type, r.Reason)
		}
	}
	if wrong > most {
		t.Errorf("%d are told to clash, at most %d", wrong, most)
	}
	if pairs < 40 {
		t.Errorf("%d pairs, want 40 or more", pairs)
	}
}
