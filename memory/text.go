package memory

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
)

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
		return shorten.FirstLine(name)
	}
	return shorten.FirstLine(name) + ": " + shorten.FirstLine(text)
}
