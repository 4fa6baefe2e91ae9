package hosts

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// Gemini CLI, and Qwen Code that is made from it, put tags around what they hand on.
const (
	hookBegins, hookEnds           = "<hook_context>", "</hook_context>"
	untrustedBegins, untrustedEnds = "<untrusted_context>", "</untrusted_context>"
	untrustedEscaped               = "&lt;/untrusted_context&gt;"
)

// groupLine is the number of a process, which is no news.
var groupLine = lazy.Regexp(`(?m)^Process Group PGID: (?:\d+|\(none\))\n?`)

func wraps(host string) bool { return host == Gemini || host == Qwen }

// typed is what the user said of a prompt: without what hooks put before and after it. They
// may have put our own pack there.
func typed(host, prompt string) string {
	if !wraps(host) {
		return prompt
	}
	for {
		inner, ok := strings.CutPrefix(strings.TrimLeft(prompt, " \t\r\n"), hookBegins)
		if !ok {
			break
		}
		_, after, ended := strings.Cut(inner, hookEnds)
		if !ended {
			break // somebody wrote it
		}
		prompt = strings.TrimLeft(after, "\r\n")
	}
	for {
		inner, ok := strings.CutSuffix(strings.TrimRight(prompt, " \t\r\n"), hookEnds)
		if !ok {
			return prompt
		}
		i := strings.LastIndex(inner, hookBegins)
		if i < 0 {
			return prompt
		}
		prompt = strings.TrimRight(inner[:i], "\r\n")
	}
}

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
