//go:build !race

package memory

import (
	"testing"
)

// TestTexts finds a text that takes what no text may hold: it spoils every
// string of every sample in turn.
func TestTexts(t *testing.T) {
	for _, bad := range []string{"a\x00b", "a\xffb", " \t\n", "\u2003"} {
		for i := range samples() {
			for n := 0; ; n++ {
				b := samples()[i]
				h := fullHeader(b)
				name := spoilString(&h, b, n, bad)
				if name == "" {
					break
				}
				if _, err := New(h, b); err == nil {
					t.Errorf("%s: %s = %q was taken", b.kind(), name, bad)
				}
			}
		}
	}
}
