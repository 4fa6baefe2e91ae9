package plain_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/stemma-memory/stemma/internal/plain"
)

func TestHang(t *testing.T) {
	for _, tt := range []struct {
		what  string
		in    string
		width int
		want  string
	}{
		{"fits", "short", 8, "short"},
		{"between words", "one two three four", 9, "one two\n  three\n  four"},
		{"a rank", "1. one two three four five six", 24, "1. one two three four\n   five six"},
		{"a dash", "  - one two three four five six", 26, "  - one two three four\n    five six"},
		{"an indent", "    one two three four five six", 27, "    one two three four five\n      six"},
		{"a branch", "│   ├─ one two three four five six", 33, "│   ├─ one two three four five\n│   │    six"},
		{"the last branch", "│   └─ one two three four five six", 33, "│   └─ one two three four five\n│        six"},
		{"a long word", "see https://example.org/a/b/c/d/e ok", 22,
			"see\n  https://example.org/\n  a/b/c/d/e ok"},
		{"two columns a character", "  「配達は火曜日に出ます。」", 14, "  「配達は火曜\n  日に出ま\n  す。」"},
		{"colours", "\x1b[2mone two\x1b[0m three", 8, "\x1b[2mone two\x1b[0m\n  three"},
		{"blanks within", "one  two   three", 10, "one  two\n  three"},
	} {
		if got := strings.Join(plain.Hang(tt.in, tt.width), "\n"); got != tt.want {
			t.Errorf("%s: Hang(%q, %d) =\n%s\nwant\n%s", tt.what, tt.in, tt.width, got, tt.want)
		}
	}
}

// Each line fits, and nothing is missing but blanks.
func FuzzHang(f *testing.F) {
	f.Add("1. [belief] \"naïve 配達 🙂🙂 https://example.org\" (0.8)", 20)
	f.Add("│   ├─ \x1b[31mred\x1b[0m words", 12)
	f.Add("\t\tx\ty", 9)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 4 || width > 300 || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
			return r != ' ' && r != '\t' && plain.Harmful(r) || r == '\n'
		}) {
			return
		}
		bare := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune(" \t│", r) {
					return -1
				}
				return r
			}, s)
		}
		lines := plain.Hang(s, width)
		for _, l := range lines {
			if ansi.StringWidth(l) > width && len(s) > 0 {
				t.Errorf("Hang(%q, %d) has %q of %d columns", s, width, l, ansi.StringWidth(l))
			}
		}
		if got := bare(strings.Join(lines, "")); got != bare(s) {
			t.Errorf("Hang(%q, %d) has the words %q", s, width, got)
		}
	})
}
