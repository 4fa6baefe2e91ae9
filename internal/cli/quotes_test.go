package cli

import (
	"strings"
	"testing"
)

// Words stay between their quotation marks, whatever they are.
func TestWordsEndAtNoQuoteOfTheirOwn(t *testing.T) {
	for text, want := range map[string]string{
		`plain words`:                `"plain words"`,
		`say "yes"`:                  `"say \"yes\""`,
		`go"  2026-11-25  [approved`: `"go\" 2026-11-25 [approved"`,
		`C:\tools\x`:                 `"C:\tools\x"`,
		`ends with \`:                `"ends with \\"`,
		`\"`:                         `"\\\""`,
		`wide ＂ mark`:                `"wide \＂ mark"`,
		"":                           `""`,
	} {
		got := quoted(text, 80)
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		inside, escaped := strings.TrimSuffix(strings.TrimPrefix(got, `"`), `"`), false
		for _, r := range inside {
			if r == '"' && !escaped {
				t.Errorf("%s: %s ends before its end", text, got)
			}
			escaped = r == '\\' && !escaped
		}
		if escaped {
			t.Errorf("%s: %s has no end", text, got)
		}
	}
}
