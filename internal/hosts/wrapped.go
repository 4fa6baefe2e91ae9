package hosts

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// Gemini CLI, and Qwen Code that is made from it, put tags around what they hand on.
const (
	untrustedBegins, untrustedEnds = "<untrusted_context>", "</untrusted_context>"
	untrustedEscaped               = "&lt;/untrusted_context&gt;"
)

// groupLine is the number of a process, which is no news.
var groupLine = lazy.Regexp(`(?m)^Process Group PGID: (?:\d+|\(none\))\n?`)

func wraps(host string) bool { return host == Gemini || host == Qwen }

// unwrapped is what a tool gave, as it gave it.
func unwrapped(host, words string) string {
	if !wraps(host) {
		return words
	}
	inner, begins := strings.CutPrefix(strings.TrimSpace(words), untrustedBegins)
	inner, ends := strings.CutSuffix(inner, untrustedEnds)
	if begins && ends {
		words = strings.TrimSuffix(strings.TrimPrefix(inner, "\n"), "\n")
		words = strings.ReplaceAll(words, untrustedEscaped, untrustedEnds)
	}
	return strings.TrimRight(groupLine.Get().ReplaceAllString(words, ""), "\n")
}
