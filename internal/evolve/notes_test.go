package evolve_test

import (
	"os"
	"strings"
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// Of the notes of developers none are linked that both hold, and at most nine of those that do not are missed.
func TestWhatDevelopersNote(t *testing.T) {
	data, err := os.ReadFile("testdata/notes.txt")
	if err != nil {
		t.Fatal(err)
	}
	const most = 9
	count := map[[2]bool]int{} // are related, are said to be
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) != 3 {
			t.Fatalf("%q has %d parts, want label | old | new", line, len(f))
		}
		r := Rules(Memory{Text: f[2]}, []Memory{{Text: f[1]}})
		is, said := f[0] == "link", r != nil && r.Type != memory.Extend
		if count[[2]bool{is, said}]++; !is && said {
			t.Errorf("%q and %q: %s, %s; both hold", f[1], f[2], r.Type, r.Reason)
		}
	}
	if missed, found := count[[2]bool{true, false}], count[[2]bool{true, true}]; missed > most || found == 0 {
		t.Errorf("%d of %d changes are missed, at most %d", missed, missed+found, most)
	}
}
