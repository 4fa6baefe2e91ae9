package bearing

import (
	"strings"
	"testing"
)

func TestWhatKindOfWordIsAskedFor(t *testing.T) {
	for text, want := range map[string][2]bool{ // a time, a number
		"When did she leave?": {true, false}, "How long is it kept?": {true, false}, "Since when is it so?": {true, false},
		"Which year was it":         {true, false},
		"how many users are there?": {false, true}, "How much does it cost?": {false, true},
		"What did he say when she left?": {false, false}, "Who is it?": {false, false}, "": {false, false},
		"how": {false, false}, strings.Repeat("é", 400): {false, false},
	} {
		if got := [2]bool{TimeAsked(text), NumberAsked(text)}; got != want {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}
