package markdown

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// wikilink is [[Target]], [[Target#Heading]] or [[Target|as shown]].
var wikilink = lazy.Regexp(`\[\[([^\[\]\n|#^]{1,256})(?:[#^][^\[\]\n|]*)?(?:\|[^\[\]\n]*)?\]\]`)

// Links returns what a text links to, each once, in the order of the text. Code is
// no text.
func Links(text string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, m := range wikilink.Get().FindAllStringSubmatch(withoutCode(text), -1) {
		if target := strings.TrimSpace(m[1]); target != "" && !seen[target] {
			seen[target] = true
			out = append(out, target)
		}
	}
	return out
}

// hashtag is #word, not a heading and not the middle of an address.
var hashtag = lazy.Regexp(`(?:^|[\s(])#([\pL\d_][\pL\pN_/-]{0,62})`)

// Tags returns the tags in a text, each once. A number is none.
func Tags(text string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, m := range hashtag.Get().FindAllStringSubmatch(withoutCode(text), -1) {
		if tag := m[1]; !seen[tag] && strings.Trim(tag, "0123456789") != "" {
			seen[tag] = true
			out = append(out, tag)
		}
	}
	return out
}

var inlineCode = lazy.Regexp("`[^`\n]*`")

// withoutCode takes away what stands between fences and backticks.
func withoutCode(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(l, fence) {
				fence = ""
			}
		case strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~"):
			fence = l[:3]
		default:
			b.WriteString(inlineCode.Get().ReplaceAllString(line, " "))
		}
	}
	return b.String()
}

// Base returns the name of a link's target without the folders before it and the
// ending of a note.
func Base(target string) string {
	if at := strings.LastIndexByte(target, '/'); at >= 0 {
		target = target[at+1:]
	}
	return strings.TrimSpace(strings.TrimSuffix(target, ".md"))
}
