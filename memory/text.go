package memory

import (
	"strings"
	"unicode/utf8"
)

// Cut returns at most n bytes of s, ending between two characters.
func Cut(s string, n int) string {
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

// joined puts texts together, one a line, leaving out the empty ones.
func joined(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		if t == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t)
	}
	return b.String()
}

func list(texts []string) string { return strings.Join(texts, "\n") }

// titled is "name: text" on one line.
func titled(name, text string) string {
	if text == "" {
		return FirstLine(name)
	}
	return FirstLine(name) + ": " + FirstLine(text)
}
