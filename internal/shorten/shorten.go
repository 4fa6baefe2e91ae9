// Package shorten returns shorter forms of texts. Every room needs it, and the client too:
// so it is by itself and imports nothing.
package shorten

import (
	"strings"
	"unicode/utf8"
)

// To returns at most n bytes of s, ending between two characters.
func To(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// FirstLine returns the first line of s that is not blank, trimmed.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
