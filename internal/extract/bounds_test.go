//go:build !race

package extract

import (
	"strings"
	"testing"
)

// No text takes more than time in proportion to it, whatever it repeats: with the square of
// a quarter of a million characters this would not end.
func TestLongTexts(t *testing.T) {
	for _, s := range []string{
		"I ", "my my ", "\"", "`a", "a.", "Alice ", "Alice's ", "I think ", "we used X for Y. ", "://", "never ",
		"(", "\n", "- a\n", "1 failed\n", "I have a dog. ",
	} {
		text := strings.Repeat(s, (256<<10)/len(s))
		_, drafts := Remember(text, noon)
		held(t, drafts, 1)
		held(t, Process([]Event{{Text: text, Type: "user_prompt"}, {Text: text, Type: "tool_output"}}), 2)
	}
}
