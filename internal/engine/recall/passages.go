package recall

import (
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// A long text is found by the nearest of its passages. Models take two hundred words and more, and a vector of many
// subjects is near none of them.
const (
	passageBytes = 850  // of one passage: about 200 tokens of English
	wholeBytes   = 1000 // of a text that is one
	passageRoom  = 250  // before the end of a passage, in which the end of a sentence is looked for
	mostPassages = 16   // of one text; what is beyond them has no vector
)

// passages parts a text. A passage ends where a paragraph or a sentence does, if one ends near, and else between words.
func passages(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); len(text) > wholeBytes && len(out) < mostPassages; {
		one := shorten.To(text, passageBytes)
		end := len(one)
		for _, mark := range []string{"\n", ". ", "? ", "! ", " "} {
			if at := strings.LastIndex(one, mark); at >= passageBytes-passageRoom {
				end = at + len(mark)
				break
			}
		}
		out = append(out, strings.TrimSpace(text[:end]))
		text = strings.TrimSpace(text[end:])
	}
	if len(out) < mostPassages {
		out = append(out, text)
	}
	return out
}
