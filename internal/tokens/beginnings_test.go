package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBeginningsFitAsTextsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	parts := []string{
		"the store ", "handleUserInput", " 12345", "\n", "  \n", "漢字", "日本語。", "x", "'s", " - ", "é", "👩‍👧", "\r\n",
		"/", "\u0301", "ERR_", strings.Repeat("ab", 90), "\U0001fae9", "\U00016d40",
	}
	for range 40 {
		var b strings.Builder
		n := len(parts) - 2*r.IntN(2) // with characters of a newer Unicode and without
		for range 1 + r.IntN(60) {
			b.WriteString(parts[r.IntN(n)])
		}
		s := b.String()
		if r.IntN(10) == 0 {
			s += "\xff and more"
		}
		all, of := Count(s), BeginningsOf(s)
		for i := range s {
			if r.IntN(12) != 0 {
				continue
			}
			most := r.IntN(all+2) - 1
			if r.IntN(2) == 0 {
				most = Count(s[:i]) - r.IntN(2)
			}
			if got, want := of.Fit(i, most), Fits(s[:i], most); got != want {
				t.Fatalf("%q up to %d within %d: %v, want %v", s, i, most, got, want)
			}
			if got, want := Before(s[i:])(s[:i]), all; got != want {
				t.Fatalf("%q parted at %d: %d, want %d", s, i, got, want)
			}
		}
	}
}
