package bearing

import (
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/words"
)

// Each word that asks for a group, and the term of it, has all terms of its groups.
func TestEveryWordHasItsGroup(t *testing.T) {
	n := 0
	for line := range strings.Lines(groupLines) {
		asking, answering, two := strings.Cut(strings.TrimSpace(line), "|")
		if !two {
			answering = asking
		}
		for word := range strings.FieldsSeq(asking) {
			for _, asked := range []string{word, words.Terms(word)[0]} {
				n++
				like := alike(asked, []string{asked})
				for other := range strings.FieldsSeq(asking + " " + answering) {
					if other != figures {
						other = words.Terms(other)[0]
					}
					if !like[other] {
						t.Errorf("%q does not have %q of %q", asked, other, line)
					}
				}
			}
		}
	}
	if n < 200 {
		t.Errorf("%d words: this test shows nothing", n)
	}
	if like := alike("tek", words.Terms("tek")); len(like) > 0 || slices.Contains(groups()[0].asking, "tek") {
		t.Errorf("a word of no group has %v", like)
	}
}
