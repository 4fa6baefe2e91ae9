package plain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// What is cut ends with a word and a mark, and never within a character.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 10, "short"},
		{"exactly ten", 11, "exactly ten"},
		{"the cache is slow again", 16, "the cache is…"},
		{"the cache is slow again", 18, "the cache is slow…"},
		{"the cache is slow again", 17, "the cache is…"},
		{"the cache  is slow", 11, "the cache…"},
		{"see https://example.org/a/very/long/address", 20, "see https://example…"},
		{"0123456789abcdef0123456789abcdef", 9, "01234567…"},
		{"索引がキーにないので遅い", 9, "索引がキ…"},
		{"索引がキーにないので遅い", 10, "索引がキ…"},
		{"a 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 6, "a 👩‍👩‍👧‍👦…"},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"},
		{"\x1b[31mred words here\x1b[0m", 12, "\x1b[31mred words…\x1b[0m"},
		{"words", 1, "…"},
		{"", 5, ""},
	} {
		if got := Cut(tt.text, tt.width); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("the cache is slow again", 16)
	f.Add("索引がキーにないので遅い 👩‍👩‍👧‍👦", 9)
	f.Fuzz(func(t *testing.T, text string, width int) {
		text = strings.Join(strings.Fields(Text(text)), " ")
		width = 1 + (width&0x7fffffff)%60
		got := Cut(text, width)
		if w := ansi.StringWidth(got); w > width {
			t.Fatalf("Cut(%q, %d) = %q: %d columns", text, width, got, w)
		}
		if got == text {
			return
		}
		kept, cut := strings.CutSuffix(got, "…")
		if !cut || !strings.HasPrefix(text, kept) || !utf8.ValidString(got) || strings.HasSuffix(kept, " ") {
			t.Fatalf("Cut(%q, %d) = %q", text, width, got)
		}
		ends := map[int]bool{0: true}
		for at := 0; at < len(text); {
			cluster, _ := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
			at += len(cluster)
			ends[at] = true
		}
		if !ends[len(kept)] {
			t.Fatalf("Cut(%q, %d) = %q: within a character", text, width, got)
		}
	})
}
