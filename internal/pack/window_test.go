package pack

import (
	"slices"
	"strings"
	"testing"
)

// A long word is read in parts that begin and end at characters.
func TestALongWordIsReadInParts(t *testing.T) {
	text := "pool-" + strings.Repeat("é", longWord) + "-pool" // an é begins at each odd byte
	got := seek(text, []string{"pool"}).places
	if end := seek(text[:longWord+1], nil); len(end.places) > 0 { // it ends within the part
		t.Errorf("nothing that is asked stands at %v", end.places)
	}
	want := []place{{0, longWord + 1, 0}, {2*longWord + 1, 2*longWord + 10, 0}}
	if !slices.Equal(got, want) {
		t.Errorf("pool stands at %v, want %v", got, want)
	}
}
