//go:build !race

package tokens

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// A cut text fits, is a beginning, and ends where a character ends as it is seen; one character more, and it would
// not fit, unless it ends at a word.
func TestCutFitsAndIsLong(t *testing.T) {
	for _, s := range samples(t) {
		text := string(s.Text)
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
		n := Count(text)
		for _, most := range []int{0, 1, 2, 3, 5, 8, n / 2, n - 1, n, n + 1} {
			for _, sign := range []string{"", "…", "..."} {
				checkCut(t, text, most, sign)
			}
		}
	}
}

// In a time that grew with the square of the length, each of these would take minutes.
func TestLongWordsTakeNoLongTime(t *testing.T) {
	const size = 1 << 17
	r := rand.New(rand.NewPCG(1, 2))
	letters := make([]byte, size)
	for i := range letters {
		letters[i] = 'a' + byte(r.IntN(26))
	}
	for what, text := range map[string]string{
		"letters": string(letters), "one letter": strings.Repeat("a", size), "blanks": strings.Repeat(" ", size),
		"lines": strings.Repeat(" \n", size/2), "signs": strings.Repeat("=", size),
		"ideographs": strings.Repeat("中文", size/6), "capitals": strings.Repeat("Ａ中", size/6),
		"words": strings.Repeat(" word", size/5), "blank lines": strings.Repeat("\n  x", size/4),
		"contractions": strings.Repeat("'s", size/2), "accents": "e" + strings.Repeat("\u0301", size/2),
		"zeros": strings.Repeat("\x00", size),
	} {
		start := time.Now()
		n := Count(text)
		count := time.Since(start)
		start = time.Now()
		cut := Cut(text, 2000, "…")
		t.Logf("%s: %d tokens in %v, cut to %d bytes in %v", what, n, count, len(cut), time.Since(start))
		if took := time.Since(start) + count; took > 20*time.Second {
			t.Errorf("%s took %v", what, took)
		}
	}
}
